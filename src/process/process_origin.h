/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_PROCESS_ORIGIN_H
#define WPERF_PROCESS_PROCESS_ORIGIN_H

/** Parents and start times of processes, to find the descendants of a program. */

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/** As pids are reused, a process is identified by its pid and its birth. */
struct process_origin {
	uint32_t pid, parent; /* the parent may have ended, and its pid be reused */
	uint64_t birth_ns;    /* on CLOCK_REALTIME; 0: not known */
};

/**
 * All running processes; on Linux none, as the kernel reports child processes.
 * @ret: ascending by pid; to be freed.
 */
struct error *process_origin_list(struct process_origin **ret, size_t *ret_num);

/** The process of this pid, or NULL. */
const struct process_origin *process_origin_find(const struct process_origin *origins, size_t num,
						 uint32_t pid);

#endif
