// SPDX-License-Identifier: Apache-2.0
// `flamegraph`: the page that `report --html` writes, alone, or the picture of `export --format
// svg`.

#include "cli/command.h"
#include "cli/option/option_diff.h"
#include "cli/option/option_recording.h"
#include "report/export_format.h"
#include "report/profile_page.h"
#include "report/result_file.h"

#include <stdio.h>

static struct error *cmd_flamegraph_write_page(const struct options *options, const char *path)
{
	_cleanup_(named_profile_deinit) struct named_profile profile = {0};
	_cleanup_(memory_stream_deinit) struct memory_stream notes = MEMORY_STREAM_INIT;
	struct error *err = options_read_for_page(options, NULL, &notes, &profile);
	const struct profile_page_request page = {
		.path = path, .sysroots = options->sysroot, .notes = notes.text};
	return err ? err : profile_page_write(&page, &profile);
}

static struct error *cmd_flamegraph_write_diff_page(const struct options *options, const char *path)
{
	_cleanup_(named_profile_deinit) struct named_profile later = {0};
	_cleanup_(named_profile_deinit) struct named_profile before = {0};
	_cleanup_(memory_stream_deinit) struct memory_stream notes = MEMORY_STREAM_INIT;
	_cleanup_(memory_stream_deinit) struct memory_stream later_notes = MEMORY_STREAM_INIT;
	struct error *err = options_read_for_page(options, NULL, &notes, &before);
	if (!err)
		err = options_read_for_page(options, options->diff, &later_notes, &later);
	const char *const texts[] = {notes.text, later_notes.text};
	return err ? err : options_write_diff_page(options, path, texts, &before, &later);
}

static struct error *cmd_flamegraph_write_svg(const struct options *options, const char *path)
{
	if (options->diff)
		return options_export_diff(options, export_format_of(path), path);
	_cleanup_(named_profile_deinit) struct named_profile profile = {0};
	const struct export_format *svg = export_format_of(path);
	const struct sample_choice choice = options_sample_choice(options);
	struct error *err = options_read_profile(options, NULL, false, &profile);
	if (!err)
		err = sample_choice_keep(&choice, &profile);
	if (err)
		return err;
	uint32_t event = sample_choice_single_event(&choice, &profile);
	export_format_note_event(svg, &profile, event, stderr);
	return export_format_write(svg, path, &profile, event);
}

struct error *command_flamegraph(const struct options *options, int *ret_exit)
{
	const char *path = options->output ? options->output : "wperf.html";
	enum result_format format = result_format_of(path);
	// Another name is a mistake, also one without an end that we know.
	if (format != RESULT_ANY && format != RESULT_HTML && format != RESULT_SVG)
		return result_format_refuse("flamegraph", path, options->input);
	struct error *err = format == RESULT_SVG ? cmd_flamegraph_write_svg(options, path)
			    : options->diff      ? cmd_flamegraph_write_diff_page(options, path)
						 : cmd_flamegraph_write_page(options, path);
	if (!err && !options->quiet)
		printf("%s\n", path);
	return err;
}
