// SPDX-License-Identifier: Apache-2.0
// `dump`: Python stacks of one process, now. A list of processes is refused, not shortened to its
// first.

#include "base/cleanup.h"
#include "cli/command.h"
#include "cli/option/option_requests.h"
#include "process/pid_list.h"
#include "report/dump/process_dump.h"

#include <stdlib.h>

struct error *command_dump(const struct options *options, int *ret_exit)
{
	_cleanup_free_ uint32_t *pids = NULL;
	size_t num = 0;
	struct error *err = options->pids ? pid_list_parse(options->pids, &pids, &num) : NULL;
	if (err)
		return err;
	if (num != 1)
		return error_with_hint(error_create(ERROR_USAGE, "'dump' needs one process"),
				       "wperf dump -p PID");
	const struct dump_request request = {
		.pid = pids[0],
		.with_locals = options->locals,
		.with_tasks = options->async,
		.stops_threads = options->stop,
	};
	return process_dump_write(&request, options_output_request(options));
}
