/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_MEMORY_MEMORY_PIECES_H
#define WPERF_PROCESS_MEMORY_MEMORY_PIECES_H

/** Memory of a process in buffers, from a recording or a test. */

#include "process/memory/process_memory.h"

struct memory_piece {
	uint64_t address;
	const void *bytes;
	size_t size;
};

struct memory_pieces {
	const struct memory_piece *items; /* not owned; if they overlap, the first one counts */
	size_t num_items;
};

/** @pieces must outlive the result. */
struct process_memory memory_pieces_memory(struct memory_pieces *pieces);

#endif
