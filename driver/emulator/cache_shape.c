// SPDX-License-Identifier: Apache-2.0

#include "driver/emulator/cache_shape.h"

#include <inttypes.h>
#include <stdio.h>

// A shape must have a power of two of sets, and of bytes in a line: the set and the line of an
// address are then bits of it. Limits per level bound the memory that a user's option can ask for.

enum {
	KIB = 1 << 10,
	MIB = 1 << 20,
	MIN_LINE = 16,
	MAX_LINE = 4096, // no more than a page: a line has one translation
	MAX_WAYS = 4096, // a miss looks at each
};

// 8 bytes each: all together 12.5 MiB.
static const uint32_t max_lines[NUM_MODEL_LEVELS] = {
	[MODEL_L1D] = 64 * KIB,    [MODEL_L1I] = 64 * KIB,     [MODEL_L2] = 256 * KIB,
	[MODEL_LL] = 1024 * KIB,   [MODEL_L1D_TLB] = 64 * KIB, [MODEL_L1I_TLB] = 64 * KIB,
	[MODEL_L2_TLB] = 64 * KIB,
};

static bool is_tlb(enum model_level level)
{
	return level >= MODEL_L1D_TLB;
}

static bool is_power_of_two(uint64_t number)
{
	return number && !(number & (number - 1));
}

bool cache_shape_is_possible(const struct cache_shape *shape, enum model_level level)
{
	if ((unsigned)level >= NUM_MODEL_LEVELS || shape->ways < 1 || shape->ways > MAX_WAYS)
		return false;
	uint32_t least_line = is_tlb(level) ? TLB_PAGE_BYTES : MIN_LINE;
	if (!is_power_of_two(shape->line) || shape->line < least_line || shape->line > MAX_LINE)
		return false;
	uint32_t set_bytes = shape->ways * shape->line;
	return shape->size % set_bytes == 0 && is_power_of_two(shape->size / set_bytes) &&
	       shape->size / shape->line <= max_lines[level];
}

static bool cache_shape_take(const char **text, char wanted)
{
	if (**text != wanted)
		return false;
	(*text)++;
	return true;
}

static bool cache_shape_take_number(const char **text, uint64_t *ret)
{
	const char *first = *text;
	uint64_t number = 0;
	for (; **text >= '0' && **text <= '9'; (*text)++) {
		number = number * 10 + (uint64_t)(**text - '0');
		// Before the next digit, so that it cannot overflow.
		if (number > UINT32_MAX)
			return false;
	}
	*ret = number;
	return *text != first;
}

static bool take_cache(const char **text, uint64_t *size, uint64_t *ways, uint64_t *line)
{
	if (!cache_shape_take_number(text, size))
		return false;
	if (cache_shape_take(text, 'K'))
		*size *= KIB;
	else if (cache_shape_take(text, 'M'))
		*size *= MIB;
	return cache_shape_take(text, ':') && cache_shape_take_number(text, ways) &&
	       cache_shape_take(text, ':') && cache_shape_take_number(text, line);
}

static bool take_tlb(const char **text, uint64_t *size, uint64_t *ways, uint64_t *line)
{
	uint64_t entries;
	if (!cache_shape_take_number(text, &entries))
		return false;
	// Fully associative, unless ways are said.
	*ways = entries;
	*size = entries * TLB_PAGE_BYTES;
	*line = TLB_PAGE_BYTES;
	return !cache_shape_take(text, ':') || cache_shape_take_number(text, ways);
}

bool cache_shape_parse(const char *text, enum model_level level, struct cache_shape *ret)
{
	uint64_t size, ways, line;
	bool taken = is_tlb(level) ? take_tlb(&text, &size, &ways, &line)
				   : take_cache(&text, &size, &ways, &line);
	if (!taken || *text || size > UINT32_MAX)
		return false;
	struct cache_shape shape = {(uint32_t)size, (uint32_t)ways, (uint32_t)line};
	if (!cache_shape_is_possible(&shape, level))
		return false;
	*ret = shape;
	return true;
}

void cache_shape_format(const struct cache_shape *shape, enum model_level level, char *ret,
			size_t size)
{
	if (is_tlb(level)) {
		snprintf(ret, size, "%" PRIu32 ":%" PRIu32, shape->size / shape->line, shape->ways);
		return;
	}
	uint32_t unit = shape->size % MIB == 0 ? MIB : shape->size % KIB == 0 ? KIB : 1;
	const char *suffix = unit == MIB ? "M" : unit == KIB ? "K" : "";
	snprintf(ret, size, "%" PRIu32 "%s:%" PRIu32 ":%" PRIu32, shape->size / unit, suffix,
		 shape->ways, shape->line);
}
