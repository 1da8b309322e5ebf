// SPDX-License-Identifier: Apache-2.0
// `evlist`: the events of a recording, without its samples. Words are checked here; event_listing.c
// reads and prints.

#include "cli/command.h"
#include "cli/option/option_recording.h"
#include "cli/option/option_requests.h"
#include "report/recorded/event_listing.h"

struct error *command_evlist(const struct options *options, int *ret_exit)
{
	struct error *err = options_check_recording(options);
	if (err)
		return err;
	const struct event_listing_request request = {
		.path = options_recording_path(options),
		.is_default = options_names_no_recording(options),
		.is_forced = options->force,
		.is_verbose = options->verbose,
	};
	return event_listing_write(&request, options_output_request(options));
}
