// SPDX-License-Identifier: Apache-2.0

#include "cli/command.h"
#include "cli/option/option_requests.h"
#include "report/catalog/event_manual.h"

// Names are looked up twice: the first time nothing is open, so that an unknown name leaves no half
// an answer and no empty file; the second time all is printed. A name without a CPU is searched for
// in the table of this machine's CPU. On other machines than Arm's, the first table that knows it
// has the answer.

struct error *command_man(const struct options *options, int *ret_exit)
{
	const struct event_manual_request request = {
		.words = options->arguments.items,
		.num_words = options->arguments.num_items,
		.cpu_name = options->cores,
		.source = options->source,
		.events_dir = options->events_dir,
		.is_compat = options->compat,
	};
	return event_manual_write(&request, options_output_request(options));
}
