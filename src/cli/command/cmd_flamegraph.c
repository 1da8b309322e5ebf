// SPDX-License-Identifier: Apache-2.0
// `flamegraph`: the page that `report --html` writes, alone.

#include "cli/command.h"
#include "cli/option/option_recording.h"
#include "report/profile_page.h"
#include "report/result_file.h"

#include <stdio.h>

struct error *command_flamegraph(const struct options *options, int *ret_exit)
{
	_cleanup_(named_profile_deinit) struct named_profile profile = {0};
	const char *path = options->output ? options->output : "wperf.html";
	enum result_format format = result_format_of(path);
	// Another name than that of a page is a mistake, also one without an end that we know.
	if (format != RESULT_ANY && format != RESULT_HTML)
		return result_format_refuse("flamegraph", path, options->input);
	_cleanup_(memory_stream_deinit) struct memory_stream notes = MEMORY_STREAM_INIT;
	struct error *err = options_read_for_page(options, NULL, &notes, &profile);
	const struct profile_page_request page = {
		.path = path, .sysroots = options->sysroot, .notes = notes.text};
	if (!err)
		err = profile_page_write(&page, &profile);
	if (!err && !options->quiet)
		printf("%s\n", path);
	return err;
}
