// SPDX-License-Identifier: Apache-2.0
// `test` makes the same plan as `stat` would, with the same words, and prints it instead of
// counting: which events stand on which counter. Clients of WindowsPerf ask it for the machine's
// abilities, too.

#include "cli/command.h"
#include "cli/option/option_requests.h"
#include "cli/option/option_run_requests.h"
#include "cli/option/option_session.h"
#include "report/machine/test_report.h"
#include "report/notes/diagnostics.h"

struct error *command_test(const struct options *options, int *ret_exit)
{
	_cleanup_(session_close) struct session session = SESSION_INIT;
	struct error *err = open_catalogue_session(options, &session);
	if (err)
		return err;
	_cleanup_(run_request_deinit) struct run_request request = {0};
	const struct run_words words = options_run_words(options);
	err = run_request_create(&words, &session, EVENT_SPEC_COUNT, &request, &session.warnings);
	diagnostics_print_warnings(string_builder_peek(&session.warnings));
	return err ? err : test_report_write(&session, &request, options_output_request(options));
}
