/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_WATCHED_PROGRAM_H
#define WPERF_SOURCE_WATCHED_PROGRAM_H

/** What a process is, for those who look at it from time to time: its program, its end, and what it
 *  has started. */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct watched_program;

/** NULL: the process is not there, or it may not be watched. */
struct watched_program *watched_program_open(uint32_t pid);
void watched_program_close(struct watched_program *program); /* NULL is fine */

/** What it does at this moment. */
struct program_look {
	bool is_over;      /* but for threads that still end */
	uint64_t identity; /* another one: it runs another program */
};

/** NULL is fine: it is over. */
struct program_look watched_program_look(const struct watched_program *program);

/**
 * Processes that it has started and that run, as far as they can be told.
 * @tids: its threads. @ret: to be freed; set only on success.
 */
struct error *watched_program_children(const struct watched_program *program, const uint32_t *tids,
				       size_t num_tids, uint32_t **ret, size_t *ret_num);

#endif
