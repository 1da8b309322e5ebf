// SPDX-License-Identifier: Apache-2.0

#include "record/perf_data/record_blocks.h"

#include "base/container/array.h"

#include <stdlib.h>
#include <string.h>

// A simple allocator for records that are added in the order of the file and released in the order
// of time: nearly first in, first out, but not quite. Each block counts its records and goes back
// to the list of free blocks when the last one is released; memory stays within what waits at
// once. A place is a block's number times its size plus an offset, so that it stays the same while
// the array of blocks grows.

struct record_block {
	uint8_t *bytes;
	size_t num_records; /* not released yet */
};

static void free_if_empty(struct record_blocks *blocks, size_t index)
{
	if (!blocks->blocks[index].num_records)
		blocks->free_blocks[blocks->num_free++] = index;
}

// A block that is free, or a new one.
static struct error *begin_block(struct record_blocks *blocks)
{
	if (blocks->num_blocks)
		free_if_empty(blocks, blocks->current);
	blocks->used = 0;
	if (blocks->num_free) {
		blocks->current = blocks->free_blocks[--blocks->num_free];
		return NULL;
	}
	struct error *err =
		array_reserve(&blocks->blocks, &blocks->cap_blocks, blocks->num_blocks + 1);
	// Then every block can be free without a further look for memory.
	if (!err)
		err = array_reserve(&blocks->free_blocks, &blocks->cap_free,
				    blocks->num_blocks + 1);
	if (err)
		return err;
	uint8_t *bytes = malloc(RECORD_BLOCK_SIZE);
	if (!bytes)
		return &error_no_memory;
	blocks->current = blocks->num_blocks++;
	blocks->blocks[blocks->current] = (struct record_block){.bytes = bytes};
	return NULL;
}

struct error *record_blocks_add(struct record_blocks *blocks, const void *bytes, size_t size,
				uint64_t *ret)
{
	if (!blocks->num_blocks || size > RECORD_BLOCK_SIZE - blocks->used) {
		struct error *err = begin_block(blocks);
		if (err)
			return err;
	}
	struct record_block *block = &blocks->blocks[blocks->current];
	memcpy(block->bytes + blocks->used, bytes, size);
	block->num_records++;
	*ret = (uint64_t)blocks->current * RECORD_BLOCK_SIZE + blocks->used;
	blocks->used = (blocks->used + size + 7) & ~(size_t)7;
	return NULL;
}

const void *record_blocks_get(const struct record_blocks *blocks, uint64_t place)
{
	return blocks->blocks[place / RECORD_BLOCK_SIZE].bytes + place % RECORD_BLOCK_SIZE;
}

void record_blocks_release(struct record_blocks *blocks, uint64_t place)
{
	size_t index = place / RECORD_BLOCK_SIZE;
	blocks->blocks[index].num_records--;
	if (index != blocks->current)
		free_if_empty(blocks, index);
	else if (!blocks->blocks[index].num_records)
		blocks->used = 0;
}

void record_blocks_deinit(struct record_blocks *blocks)
{
	for (size_t i = 0; i < blocks->num_blocks; i++)
		free(blocks->blocks[i].bytes);
	free(blocks->blocks);
	free(blocks->free_blocks);
	*blocks = (struct record_blocks)RECORD_BLOCKS_INIT;
}
