/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_WAIT_TABLE_H
#define WPERF_PROFILE_WAIT_TABLE_H

/** Waits of threads, and what ended them: sums of equal ones, beside the samples of a profile,
 * which have only the waits. */

#include "base/container/hash_table.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** How a wait ended. */
enum wait_end {
	WAIT_END_UNKNOWN, /* nothing is known of that */
	WAIT_END_THREAD,
	WAIT_END_TIMER,
	WAIT_END_INTERRUPT,
	WAIT_END_CORE,  /* the thread did not wait: it was preempted, until a core was free */
	WAIT_END_NEVER, /* the recording ended before */
	WAIT_NUM_ENDS,
};

/** Equal waits; equal are all but the sums. */
struct wait_sum {
	uint32_t stack, thread;      /* where it waits, and who; as in struct named_sample */
	uint32_t waker_stack, waker; /* with WAIT_END_THREAD; else UINT32_MAX */
	enum wait_end end;
	bool has_gil_wait; /* for the GIL */
	uint64_t count, total_ns, max_ns;
};

struct wait_table {
	struct wait_sum *items;
	size_t num_items, cap_items;
	struct hash_table index; /* private */
};

#define WAIT_TABLE_INIT \
	{               \
	}

void wait_table_deinit(struct wait_table *table);

/** @wait: without sums. */
struct error *wait_table_add(struct wait_table *table, const struct wait_sum *wait, uint64_t ns);

/** The stacks get new numbers: @stacks, by the old ones. Nothing can be added after that. */
void wait_table_renumber(struct wait_table *table, const uint32_t *stacks);

#endif
