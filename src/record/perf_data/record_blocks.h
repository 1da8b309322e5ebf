/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_PERF_DATA_RECORD_BLOCKS_H
#define WPERF_RECORD_PERF_DATA_RECORD_BLOCKS_H

/**
 * Memory for records that wait for their turn and are in no mapped file: they came through a pipe,
 * or were compressed. Blocks are filled one by one and used again when all of their records were
 * released.
 */

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct record_block; /* private */

struct record_blocks {
	struct record_block *blocks;
	size_t num_blocks, cap_blocks;
	size_t *free_blocks;
	size_t num_free, cap_free;
	size_t current; /* the block that is filled, if there are any */
	size_t used;    /* bytes of it */
};

#define RECORD_BLOCKS_INIT \
	{                  \
	}

enum { RECORD_BLOCK_SIZE = 1 << 20 };

/** Keep a copy, 8-byte aligned. @size: at most RECORD_BLOCK_SIZE. @ret: its place. */
struct error *record_blocks_add(struct record_blocks *blocks, const void *bytes, size_t size,
				uint64_t *ret);

const void *record_blocks_get(const struct record_blocks *blocks, uint64_t place);
void record_blocks_release(struct record_blocks *blocks, uint64_t place);

/** Bytes of the blocks that hold records. */
static inline size_t record_blocks_held(const struct record_blocks *blocks)
{
	return (blocks->num_blocks - blocks->num_free) * RECORD_BLOCK_SIZE;
}

void record_blocks_deinit(struct record_blocks *blocks);

#endif
