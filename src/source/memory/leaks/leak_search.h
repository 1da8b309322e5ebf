/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_MEMORY_LEAKS_LEAK_SEARCH_H
#define WPERF_SOURCE_MEMORY_LEAKS_LEAK_SEARCH_H

/**
 * Which sampled blocks of a process can no longer be reached: nothing in its registers and its
 * memory points to them, nor to a block that points to them, and so on.
 *
 * Whatever looks like a pointer is taken for one, also into the middle of a block. So some leaks
 * are not found, but what is found is one, unless the program hides its pointers: as a sum of
 * addresses, in bits that are used otherwise, in a file, or in the kernel.
 */

#include "base/error.h"
#include "process/thread/thread_hold.h"

#include <stddef.h>
#include <stdint.h>

struct leak_search_process {
	uint32_t pid;
	uint64_t table;   /* address of its live_table */
	uint64_t last_id; /* blocks up to this one are those of its parent */
	int region;       /* of memory_slots.h; the process is one that has it mapped */
	/** Takes threads that do not stop in time: thread_hold_release_late() is to be called. */
	struct thread_hold *late;
};

/**
 * Stops the process for as long as it takes: up to a second for each gigabyte in use.
 * The process's number is the word of a program, so it is left alone if it does not share memory
 * with wperf.
 * @ret: numbers of blocks (live_block.id), to be freed. An error if not all of the memory could be
 * searched: then nothing is known of any block.
 */
struct error *leak_search_run(const struct leak_search_process *process, uint64_t **ret,
			      size_t *ret_num);

#endif
