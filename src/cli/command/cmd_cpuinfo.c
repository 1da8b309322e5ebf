// SPDX-License-Identifier: Apache-2.0

#include "cli/command.h"
#include "cli/option/option_requests.h"
#include "cli/option/option_session.h"
#include "report/machine/core_listing.h"
#include "session/session.h"

struct error *command_cpuinfo(const struct options *options, int *ret_exit)
{
	_cleanup_(session_close) struct session session = SESSION_INIT;
	struct error *err = open_source_session(options, &session);
	return err ? err : core_listing_write(&session.info, options_output_request(options));
}
