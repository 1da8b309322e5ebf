// SPDX-License-Identifier: Apache-2.0

#include "cli/command.h"
#include "cli/diagnostics.h"
#include "cli/open_session.h"
#include "cli/options.h"
#include "cli/request.h"

enum { PEER_EXIT_NO_EVENT = 255 }; // its -1

static struct error *check_stat(const struct options *options, const struct session *session,
				const struct request *request)
{
	if (options->spawn && !session->info.counts_processes && request->cores.num_cores != 1)
		return error_with_hint(
			error_create(ERROR_USAGE,
				     "you can specify only one core for process spawn"),
			"this source counts whole cores: say which one with -c");
	return NULL;
}

struct error *command_stat(const struct options *options, int *ret_exit)
{
	if (!options->num_counted) {
		*ret_exit = options->compat ? PEER_EXIT_NO_EVENT : 0;
		return error_with_hint(
			error_create(ERROR_USAGE, "no event specified"),
			"say what to count with -e or -m; wperf list shows the names");
	}
	_cleanup_(session_close) struct session session = SESSION_INIT;
	struct error *err = open_catalogue_session(options, &session);
	if (err)
		return err;
	_cleanup_(request_deinit) struct request request = {0};
	err = request_create(options, &session, EVENT_SPEC_COUNT, &request, &session.warnings);
	diagnostics_print_warnings(string_builder_peek(&session.warnings));
	if (!err)
		err = check_stat(options, &session, &request);
	if (err)
		return err;
	return error_with_hint(
		error_create(ERROR_FAILED, "this version of wperf does not count yet"),
		"the request is fine; wperf test with the same -e and -m shows how it would be "
		"put on counters");
}
