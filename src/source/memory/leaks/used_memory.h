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

enum { USED_MEMORY_PAGES = 4096 }; /* that are looked at at once */

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
	/* private: the last piece of pagemap that was read */
	uint64_t pages[USED_MEMORY_PAGES];
	uint64_t first_page;
	size_t num_pages;
};

#define USED_MEMORY_INIT       \
	{                      \
		.pagemap = -1, \
	}

/** A file that wperf shares with processes. */
struct shared_file {
	uint32_t major, minor; /* of its device */
	uint64_t inode;
};

/** @fd: an open file. */
struct error *shared_file_of(int fd, struct shared_file *ret);

/**
 * Without what is of the shared file, which has addresses of all blocks.
 * @ret_is_shared: does the process have any of it?
 */
struct error *used_memory_open(struct used_memory *used, uint32_t pid,
			       const struct shared_file *shared, bool *ret_is_shared);
void used_memory_close(struct used_memory *used);

/** Is all of it memory that the process can write? @end: behind @start. */
bool used_memory_covers(const struct used_memory *used, uint64_t start, uint64_t end);

/**
 * The first touched pages from @address on, up to @end. Looks at USED_MEMORY_PAGES pages at most.
 * @ret_end: so far it has looked, and so far they reach. Returns where they begin; @ret_end: there
 * are none.
 */
uint64_t used_memory_next(struct used_memory *used, uint64_t address, uint64_t end,
			  uint64_t *ret_end);

#endif
