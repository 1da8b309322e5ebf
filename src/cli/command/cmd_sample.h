/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_COMMAND_CMD_SAMPLE_H
#define WPERF_CLI_COMMAND_CMD_SAMPLE_H

/** What `sample` and `record` have in common. */

#include "base/error.h"

#include <stdbool.h>

struct options;

/** What may be sampled: `record` starts programs, `sample` finds one that runs. */
struct sample_targets {
	bool may_be_started;
	const char *hint; /* where the user named no target */
};

/** Sample, show what came of it, and write the files that were named. */
struct error *cmd_sample_run(const struct options *options, const struct sample_targets *targets,
			     int *ret_exit);

#endif
