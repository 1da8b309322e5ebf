// SPDX-License-Identifier: Apache-2.0
// `export`: a recording in the format of another program. The format is --format's, or that of the
// output's name. It is chosen before the recording is read, since reading may take long, and since
// only some formats need each sample (`keeps_samples`): sums are much smaller. perf.data is no such
// format: it gets records, not a profile.

#include "base/cleanup.h"
#include "cli/command.h"
#include "cli/option/option_diff.h"
#include "cli/option/option_otlp.h"
#include "cli/option/option_recording.h"
#include "profile/leaf_module.h"
#include "report/export_format.h"
#include "report/json_schemas.h"
#include "report/notes/feedback_notes.h"
#include "report/result_file.h"

#include <string.h>

static struct error *refuse_format(const struct options *options)
{
	const char *path = options->output;
	if (!options->format && path && result_format_of(path) != RESULT_ANY)
		return result_format_refuse("export", path, options->input);
	struct error *err =
		options->format ? error_create(ERROR_USAGE, "unknown format '%s'", options->format)
				: error_create(ERROR_USAGE, "export needs a format");
	return error_with_hint(err, "--format takes pprof, firefox, speedscope, collapsed, "
				    "svg, perf-script, autofdo, massif, otlp or perf");
}

/** NULL: of no format that is known. */
static const struct export_format *choose_format(const struct options *options)
{
	bool is_otlp = options->format ? strcmp(options->format, options_otlp_format.name) == 0
				       : options->output && options_names_otlp(options->output);
	if (is_otlp)
		return &options_otlp_format;
	if (options->format)
		return export_format_find(options->format);
	return options->output ? export_format_of(options->output) : NULL;
}

static bool export_is_perf_data(const struct options *options)
{
	if (options->format)
		return strcmp(options->format, "perf") == 0;
	return options->output && result_format_of(options->output) == RESULT_RECORDING;
}

static struct error *export_perf_data(const struct options *options)
{
	bool is_part = options->event || options->thread || options->module || options->symbol ||
		       options->time_range || options->python;
	if (options->diff)
		return error_with_hint(error_create(ERROR_USAGE,
						    "perf has one recording: --diff is for svg"),
				       "wperf report --diff compares in tables, JSON and pages");
	if (is_part)
		return error_with_hint(error_create(ERROR_USAGE, "--format perf writes the whole "
								 "recording, not a part of it"),
				       "choose the part when you report the new file");
	if (!options->output)
		return error_with_hint(error_create(ERROR_USAGE, "--format perf needs a file"),
				       "add -o perf.data");
	return options_copy_recording(options);
}

/** Whatever other modules it called, or called it. */
static struct error *export_keep_module(const struct options *options,
					struct named_profile *profile)
{
	if (!options->module)
		return NULL;
	struct leaf_module found;
	struct error *err = leaf_module_find(profile, NAMED_NONE, options->module, &found);
	if (!err && found.module == NAMED_NONE)
		err = error_create(ERROR_USAGE, "no samples of native code in a module '%s'",
				   options->module);
	if (!err)
		leaf_module_keep(profile, found.module);
	return err;
}

struct error *command_export(const struct options *options, int *ret_exit)
{
	if (options->schema) {
		const struct text_list *kinds = &options->arguments;
		if (kinds->num_items > 1)
			return error_with_hint(
				error_create(ERROR_USAGE,
					     "--schema takes one kind, not '%s' and '%s'",
					     kinds->items[0], kinds->items[1]),
				"without a kind it prints all schemas as one document");
		return json_schemas_write(kinds->num_items ? kinds->items[0] : NULL,
					  options->output);
	}
	if (export_is_perf_data(options))
		return export_perf_data(options);
	const struct export_format *format = choose_format(options);
	// Before anything is read.
	if (!format)
		return refuse_format(options);
	if (options->diff)
		return options_export_diff(options, format, options->output);
	_cleanup_(named_profile_deinit) struct named_profile profile = {0};
	const struct sample_choice choice = options_sample_choice(options);
	struct error *err = options_read_profile(options, NULL, format->keeps_samples, &profile);
	if (!err)
		err = sample_choice_keep(&choice, &profile);
	if (err)
		return err;
	if (format->is_of_one_module)
		err = export_keep_module(options, &profile);
	if (err)
		return err;
	// Formats with one kind of number show a single event in its unit; of several they sum up
	// samples.
	uint32_t event = sample_choice_single_event(&choice, &profile);
	export_format_note_event(format, &profile, event, stderr);
	err = options->output ? export_format_write(format, options->output, &profile, event)
			      : export_format_print(format, &profile, event);
	return !err && format->is_of_one_module ? feedback_notes_print(&profile, event, stderr)
						: err;
}
