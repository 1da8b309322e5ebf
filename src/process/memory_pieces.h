/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_MEMORY_PIECES_H
#define WPERF_PROCESS_MEMORY_PIECES_H

/** Memory of a process as it was kept in buffers: what a recording or a test has of it. */

#include "process/process_memory.h"

struct memory_piece {
	uint64_t address;
	const void *bytes;
	size_t size;
};

struct memory_pieces {
	const struct memory_piece *items; /* not owned; of two at one place the first counts */
	size_t num_items;
};

/** @pieces must stay where they are. */
struct process_memory memory_pieces_memory(struct memory_pieces *pieces);

#endif
