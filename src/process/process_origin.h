/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_PROCESS_ORIGIN_H
#define WPERF_PROCESS_PROCESS_ORIGIN_H

/** Who started which process, and when: for who has to find a program's family. */

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/** Numbers are used again; with its birth a process is one for all times. */
struct process_origin {
	uint32_t pid, parent; /* who may have ended, and its number be another's */
	uint64_t birth_ns;    /* on CLOCK_REALTIME; 0: not known */
};

/**
 * All that run at this moment; on Linux none, as the kernel tells of what is started.
 * @ret: ascending by pid; to be freed.
 */
struct error *process_origin_list(struct process_origin **ret, size_t *ret_num);

/** The one of this number, or NULL. */
const struct process_origin *process_origin_find(const struct process_origin *origins, size_t num,
						 uint32_t pid);

#endif
