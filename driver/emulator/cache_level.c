// SPDX-License-Identifier: Apache-2.0

#include "driver/emulator/cache_level.h"

#include <string.h>

// Least recently used order is the order of the words in a set: an access moves its word to the
// front and all before it one place back, in one pass that is also the search. For the few ways of
// real caches that is faster than time stamps. A word is the line address shifted by the flag bits;
// 0 is an empty place.

enum { ALIGNMENT = 64 };

size_t cache_level_size(const struct cache_shape *shape)
{
	size_t bytes = (size_t)(shape->size / shape->line) * sizeof(uint64_t);
	return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static uint32_t log2_of(uint32_t power_of_two)
{
	uint32_t bits = 0;
	while (power_of_two >>= 1)
		bits++;
	return bits;
}

void cache_level_init(struct cache_level *level, const struct cache_shape *shape, void *memory)
{
	memset(memory, 0, cache_level_size(shape));
	*level = (struct cache_level){
		.words = memory,
		.set_mask = shape->size / shape->line / shape->ways - 1,
		.ways = shape->ways,
		.line = shape->line,
		.line_bits = log2_of(shape->line),
	};
}

enum cache_outcome cache_level_access(struct cache_level *level, uint64_t address, bool is_write,
				      uint64_t *ret_victim)
{
	uint64_t *set = cache_level_newest(level, address);
	uint64_t wanted = cache_level_word(level, address);
	uint64_t moving = wanted | (is_write ? CACHE_WORD_DIRTY : 0);
	// Each word moves one place back, until the wanted one or the end makes room.
	for (uint32_t way = 0; way < level->ways; way++) {
		uint64_t here = set[way];
		set[way] = moving;
		if ((here & ~(uint64_t)CACHE_WORD_DIRTY) == wanted) {
			set[0] |= here & CACHE_WORD_DIRTY;
			return CACHE_HIT;
		}
		moving = here;
	}
	if (!(moving & CACHE_WORD_DIRTY))
		return CACHE_MISS;
	*ret_victim = moving >> CACHE_WORD_FLAG_BITS << level->line_bits;
	return CACHE_MISS_WRITE_BACK;
}
