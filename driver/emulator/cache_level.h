/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_EMULATOR_CACHE_LEVEL_H
#define WPERF_EMULATOR_CACHE_LEVEL_H

/** Which lines one cache (or which pages one TLB) holds, without what is in them. */

#include "driver/emulator/cache_shape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * A word per line: its address in lines, then two flags. Each set is sorted by use, the line that
 * was used last first, so that most hits are with the first word and what falls off the end is
 * the least recently used.
 */
struct cache_level {
	uint64_t *words;
	uint64_t set_mask;
	uint32_t ways;
	uint32_t line; /* bytes */
	uint32_t line_bits;
};

enum {
	CACHE_WORD_DIRTY = 1,
	CACHE_WORD_PRESENT = 2,
	CACHE_WORD_FLAG_BITS = 2, /* lines of 16 bytes and more leave the room */
};

enum cache_outcome {
	CACHE_HIT,
	CACHE_MISS,
	CACHE_MISS_WRITE_BACK, /* a dirty line was thrown out */
};

/** Bytes for the words of such a level, a multiple of 64. */
size_t cache_level_size(const struct cache_shape *shape);

/** Empty; @memory is of that size. */
void cache_level_init(struct cache_level *level, const struct cache_shape *shape, void *memory);

/**
 * Use the line of @address, and bring it in if it is not there.
 * @ret_victim: address of the line to write back, set only with CACHE_MISS_WRITE_BACK.
 */
enum cache_outcome cache_level_access(struct cache_level *level, uint64_t address, bool is_write,
				      uint64_t *ret_victim);

static inline uint64_t cache_level_word(const struct cache_level *level, uint64_t address)
{
	return address >> level->line_bits << CACHE_WORD_FLAG_BITS | CACHE_WORD_PRESENT;
}

/** The first word of the set to which @address belongs. */
static inline uint64_t *cache_level_newest(const struct cache_level *level, uint64_t address)
{
	return level->words + (address >> level->line_bits & level->set_mask) * level->ways;
}

/**
 * The quick way: if the access is one of the line in @newest alone, where it is the first of its
 * set, does all of cache_level_access().
 */
static inline bool cache_level_hits(const struct cache_level *level, uint64_t *newest,
				    uint64_t address, uint32_t size, bool is_write)
{
	uint32_t offset = (uint32_t)address & (level->line - 1);
	bool is_one_line = size - 1 < level->line - offset; // not if there are no bytes
	if (!is_one_line ||
	    (*newest & ~(uint64_t)CACHE_WORD_DIRTY) != cache_level_word(level, address))
		return false;
	*newest |= is_write ? CACHE_WORD_DIRTY : 0;
	return true;
}

static inline uint64_t cache_level_line_start(const struct cache_level *level, uint64_t address)
{
	return address & ~(uint64_t)(level->line - 1);
}

/** How many lines @size bytes from @address touch; addresses go on at 0 after the last. */
static inline uint64_t cache_level_num_lines(const struct cache_level *level, uint64_t address,
					     uint32_t size)
{
	if (!size)
		return 0;
	uint64_t offset = address & (level->line - 1);
	return ((offset + size - 1) >> level->line_bits) + 1;
}

/** Where the next line begins. */
static inline uint64_t cache_level_next_line(const struct cache_level *level, uint64_t address)
{
	return (address | (level->line - 1)) + 1;
}

#endif
