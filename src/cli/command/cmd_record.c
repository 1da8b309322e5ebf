// SPDX-License-Identifier: Apache-2.0
// `record`: a run of `sample` that starts its program, and keeps a recording (record_files.h).

#include "cli/command.h"
#include "cli/command/cmd_sample.h"
#include "cli/option/options.h"

struct error *command_record(const struct options *options, int *ret_exit)
{
	// `sample` only attaches; `record` starts programs as well.
	static const struct sample_targets targets = {
		.may_be_started = true,
		.hint = "to start a program: wperf record COMMAND [ARGS]; to attach to a running "
			"one: -p PID, or -a for all",
	};
	if (options->spawn && (options->pids || options->system_wide))
		return error_create(ERROR_USAGE, "a command and %s cannot be combined",
				    options->pids ? "-p" : "-a");
	return cmd_sample_run(options, &targets, ret_exit);
}
