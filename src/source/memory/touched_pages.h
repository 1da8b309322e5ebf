/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_MEMORY_TOUCHED_PAGES_H
#define WPERF_SOURCE_MEMORY_TOUCHED_PAGES_H

/**
 * Memory that programs touch for the first time: page faults, sampled by the source `perf` beside
 * the allocations. It needs perf events. With huge pages, one fault brings more than a page.
 */

#include "base/error.h"
#include "record/object_copy.h"
#include "record/record.h"
#include "source/sample_plan.h"

#include <stdbool.h>
#include <stdint.h>

struct kernel_walk;
struct kernel_walk_program;
struct source;

struct touched_pages {
	struct source *kernel; /* NULL: not wanted */
	uint64_t page_size;
	uint64_t period; /* in bytes: whole pages */
};

#define TOUCHED_PAGES_INIT \
	{                  \
	}

/** @plan: of all. @bytes: sample about every so many; at least a page is taken.
 *  @program: for interpreted frames, if the plan wants them; samples have none where the kernel
 *  does not run it. */
struct error *touched_pages_open(struct touched_pages *touched, const struct sample_plan *plan,
				 uint64_t bytes, const struct kernel_walk_program *program);
void touched_pages_close(struct touched_pages *touched);

/** These do nothing if it is not wanted. */
struct error *touched_pages_start(struct touched_pages *touched);
struct error *touched_pages_stop(struct touched_pages *touched);

/** See sample_ops.walk(). */
struct error *touched_pages_walk(struct touched_pages *touched, uint32_t pid,
				 const struct kernel_walk *walk);

/** See sample_ops.find_copy(). */
bool touched_pages_find_copy(struct touched_pages *touched, const struct object_copy_key *key,
			     struct object_copy *ret);

/** Begin a round, without waiting. */
struct error *touched_pages_look(struct touched_pages *touched);

/** The next sample of the round, weighed in bytes, or record of losses; what the kernel says of
 *  processes is left out. */
struct error *touched_pages_next(struct touched_pages *touched, struct record *ret, bool *ret_more);

struct sample_totals touched_pages_totals(const struct touched_pages *touched);

#endif
