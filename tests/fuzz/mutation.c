// SPDX-License-Identifier: Apache-2.0

#include "tests/fuzz/mutation.h"

#include <stdlib.h>
#include <string.h>

struct mutation mutation_begin(const uint8_t *original, size_t size, size_t capacity, uint64_t seed)
{
	struct mutation state = {
		.bytes = malloc(capacity), .size = size, .capacity = capacity, .random = seed};
	if (!state.bytes)
		abort();
	memcpy(state.bytes, original, size);
	return state;
}

/** splitmix64, by Sebastiano Vigna: good bits from any seed. */
uint64_t mutation_random(struct mutation *state)
{
	uint64_t z = (state->random += UINT64_C(0x9e3779b97f4a7c15));
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

size_t mutation_below(struct mutation *state, size_t limit)
{
	return limit ? (size_t)(mutation_random(state) % limit) : 0;
}

uint64_t mutation_get(const struct mutation *state, size_t at, size_t size)
{
	uint64_t word = 0;
	if (at <= state->size && size <= state->size - at)
		memcpy(&word, state->bytes + at, size);
	return word;
}

void mutation_set(struct mutation *state, size_t at, size_t size, uint64_t word)
{
	if (at <= state->size && size <= state->size - at)
		memcpy(state->bytes + at, &word, size);
}

/** What of a range is in the file. */
struct mutation_range mutation_clip(const struct mutation *state, uint64_t at, uint64_t size)
{
	if (at > state->size)
		return (struct mutation_range){state->size, 0};
	uint64_t rest = state->size - at;
	return (struct mutation_range){(size_t)at, (size_t)(size < rest ? size : rest)};
}

uint64_t mutation_word(struct mutation *state, uint64_t before)
{
	static const uint64_t words[] = {
		0,
		1,
		2,
		7,
		8,
		16,
		0x7f,
		0x80,
		0xff,
		0x7fff,
		0x8000,
		0xfff8,
		0xffff,
		0x7fffffff,
		0x80000000,
		0xffffffff,
		UINT64_C(1) << 32,
		UINT64_C(1) << 40,
		UINT64_C(0x7fffffffffffffff),
		UINT64_C(0x8000000000000000),
		UINT64_MAX,
		UINT64_MAX - 7,
		UINT64_C(-128),
		UINT64_C(-512),
		UINT64_C(-2048),
	};
	enum { NUM_WORDS = sizeof(words) / sizeof(words[0]) };
	size_t which = mutation_below(state, NUM_WORDS + 8);
	switch (which) {
	case NUM_WORDS:
		return before + 1;
	case NUM_WORDS + 1:
		return before - 1;
	case NUM_WORDS + 2:
		return before * 2;
	case NUM_WORDS + 3:
		return before ^ UINT64_C(1) << mutation_below(state, 64);
	case NUM_WORDS + 4:
		return state->size - mutation_below(state, 16);
	case NUM_WORDS + 5:
		return mutation_get(state, mutation_below(state, state->size) & ~(size_t)7, 8);
	case NUM_WORDS + 6:
	case NUM_WORDS + 7:
		return mutation_random(state);
	default:
		return words[which];
	}
}

void mutation_change_word(struct mutation *state, struct mutation_range range)
{
	size_t width = (size_t)1 << mutation_below(state, 4);
	size_t at = range.at + (mutation_below(state, range.size) & ~(width - 1));
	mutation_set(state, at, width, mutation_word(state, mutation_get(state, at, width)));
}
