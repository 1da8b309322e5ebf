// SPDX-License-Identifier: Apache-2.0
// `list`: what -e and -m take here. It opens the source, as what can be counted depends on the
// machine and on the user's rights. Where there is none to open, the list is that of the
// source that samples in its place, with a note on what is missing; `list --cpu NAME` needs no
// source at all.

#include "cli/command.h"
#include "cli/option/option_requests.h"
#include "cli/option/option_session.h"
#include "report/catalog/catalog_listing.h"
#include "report/catalog/probe_listing.h"
#include "report/notes/diagnostics.h"
#include "session/setup/absent_source.h"

#include <stdio.h>
#include <string.h>

enum { LISTED_MAX = 80 }; // a note's begin

/** Where nothing can be counted, what can be sampled. */
static struct error *cmd_list_open_session(const struct options *options, struct session *session)
{
	struct error *err = open_catalogue_session(options, session);
	if (!err)
		return NULL;
	const struct source_ops *listed = absent_source_listed();
	char what[LISTED_MAX];
	snprintf(what, sizeof(what), "the events of source '%s' are listed, because ",
		 listed->traits.name);
	if (!session_may_be_absent(options, err, what,
				   "'wperf list --cpu NAME' lists the events of a CPU; "
				   "'wperf detect' shows what is missing"))
		return err;
	error_destroy(err);
	session_close(session);
	return open_stand_in_session(options, listed, session);
}

/** `list probes FILE [PATTERN]`: what a file has, whatever can be counted here. */
static struct error *cmd_list_probes(const struct options *options)
{
	const struct text_list *words = &options->arguments;
	if (words->num_items > 3)
		return error_with_hint(error_create(ERROR_USAGE, "unexpected arg '%s'",
						    words->items[3]),
				       "list probes takes a file and a pattern");
	if (words->num_items < 2)
		return error_with_hint(error_create(ERROR_USAGE, "list probes needs a file"),
				       "wperf list probes /path/to/program; to list events with "
				       "this in their names: wperf list '*probes*'");
	const struct probe_listing_request request = {
		.path = words->items[1],
		.pattern = words->num_items > 2 ? words->items[2] : NULL,
		.output = options_output_request(options),
	};
	return probe_listing_write(&request);
}

struct error *command_list(const struct options *options, int *ret_exit)
{
	const struct text_list *words = &options->arguments;
	if (words->num_items && !options->compat && strcmp(words->items[0], "probes") == 0)
		return cmd_list_probes(options);
	if (words->num_items > 1)
		return error_with_hint(error_create(ERROR_USAGE, "unexpected arg '%s'",
						    words->items[1]),
				       "list takes one pattern");
	_cleanup_(session_close) struct session session = SESSION_INIT;
	struct error *err = cmd_list_open_session(options, &session);
	if (err)
		return err;
	const struct catalog_listing_request request = {
		.word = words->num_items ? words->items[0] : NULL,
		// "hw" and "cache" are perf's words; for WindowsPerf they are parts of names.
		.knows_parts = !options->compat,
		.is_verbose = options->verbose,
		.has_empty_tables = options->compat,
		.output = options_output_request(options),
	};
	diagnostics_print_warnings(string_builder_peek(&session.warnings));
	// What is missing is missing among the hardware's events.
	if (!options->json && !options->quiet && catalog_listing_has_hardware(&request))
		diagnostics_print_warnings(string_builder_peek(&session.notes));
	return catalog_listing_write(&request, &session);
}
