/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_MEMORY_LEAKS_USED_MEMORY_H
#define WPERF_SOURCE_MEMORY_LEAKS_USED_MEMORY_H

/**
 * The memory that a stopped process can write, as far as it has been touched: what never was has no
 * pointers.
 */

#include "base/error.h"
#include "process/memory/process_memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct used_range {
	uint64_t start, end;
	bool is_heap, is_stack; /* [heap], [stack] */
	bool is_anonymous;
};

struct used_memory {
	struct process_memory memory;
	int pagemap;               /* /proc/PID/pagemap */
	struct used_range *ranges; /* by address */
	size_t num_ranges, cap_ranges;
};

#define USED_MEMORY_INIT       \
	{                      \
		.pagemap = -1, \
	}

/** Without what the process shares with wperf. */
struct error *used_memory_open(struct used_memory *used, uint32_t pid);
void used_memory_close(struct used_memory *used);

/**
 * The first touched pages from @address on, up to @end.
 * @ret_end: behind them. Returns where they begin; @end: there are none.
 */
uint64_t used_memory_next(const struct used_memory *used, uint64_t address, uint64_t end,
			  uint64_t *ret_end);

#endif
