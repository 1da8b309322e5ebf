/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_AGENT_PROCESS_IDENTITY_H
#define WPERF_AGENT_PROCESS_IDENTITY_H

/** What a running process belongs to. Its command line is its own word, and may be any bytes. */

#include "agent/cgroup_names.h"
#include "process/system/process_command.h"

#include <stdbool.h>
#include <stdint.h>

struct process_identity {
	bool is_kernel;                     /* a thread of the kernel */
	char command[PROCESS_COMMAND_SIZE]; /* its words, with spaces between; cut */
	struct cgroup_names cgroup;         /* empty on Windows */
};

/** False: there is no such process, or no longer. */
bool process_identity_read(uint32_t pid, struct process_identity *ret);

#endif
