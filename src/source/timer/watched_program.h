/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_TIMER_WATCHED_PROGRAM_H
#define WPERF_SOURCE_TIMER_WATCHED_PROGRAM_H

/** Watches the state of a process: its program, its end and its children. */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct watched_program;

/** NULL: the process does not exist, or this user may not watch it. */
struct watched_program *watched_program_open(uint32_t pid);
void watched_program_close(struct watched_program *program); /* accepts NULL */

/** Its state now. */
struct program_look {
	bool is_over;      /* it has ended, except for threads that still exit */
	uint64_t identity; /* changes at exec */
};

/** NULL: a process that has ended. */
struct program_look watched_program_look(const struct watched_program *program);

/**
 * Its running child processes, if the system reports them.
 * @tids: its threads. @ret: to be freed; set only on success.
 */
struct error *watched_program_children(const struct watched_program *program, const uint32_t *tids,
				       size_t num_tids, uint32_t **ret, size_t *ret_num);

#endif
