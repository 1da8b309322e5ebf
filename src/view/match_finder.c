// SPDX-License-Identifier: Apache-2.0

#include "view/match_finder.h"

#include "base/byte_order.h"

enum {
	MAX_TRIES = 4,
	GOOD_LENGTH = 32, /* looking for a longer match does not pay */
};

// Odd, without pattern: 2^32 divided by the golden ratio.
static const uint32_t factor = 0x9e3779b1;

static uint32_t *latest(struct match_finder *finder, const uint8_t *bytes)
{
	uint32_t word = byte_order_load32(bytes, false);
	return &finder->latest[word * factor >> (32 - MATCH_FINDER_HASH_BITS)];
}

/** Remember @place, and return where its bytes may have been before. */
static uint32_t remember(struct match_finder *finder, const uint8_t *bytes, uint32_t place)
{
	uint32_t *slot = latest(finder, bytes);
	uint32_t before = *slot;
	finder->earlier[place % MATCH_MAX_DISTANCE] = before;
	*slot = place;
	return before;
}

static uint32_t common_length(const uint8_t *a, const uint8_t *b, uint32_t max)
{
	uint32_t length = 0;
	for (; length + 8 <= max; length += 8) {
		uint64_t difference =
			byte_order_load64(a + length, false) ^ byte_order_load64(b + length, false);
		if (difference)
			return length + (uint32_t)__builtin_ctzll(difference) / 8;
	}
	while (length < max && a[length] == b[length])
		length++;
	return length;
}

struct match match_finder_find(struct match_finder *finder, const struct match_window *window,
			       size_t index)
{
	struct match best = {.length = MATCH_MIN_LENGTH - 1};
	size_t left = window->size - index;
	if (left < MATCH_MIN_LENGTH)
		return (struct match){0};
	uint32_t max = left < MATCH_MAX_LENGTH ? (uint32_t)left : MATCH_MAX_LENGTH;
	const uint8_t *here = window->bytes + index;
	uint32_t place = window->first_place + (uint32_t)index;
	uint32_t farthest = index < MATCH_MAX_DISTANCE ? (uint32_t)index : MATCH_MAX_DISTANCE;
	uint32_t candidate = remember(finder, here, place);
	uint32_t distance = 0;
	for (int tries = MAX_TRIES; tries; tries--) {
		// What is older than the window was overwritten, or wraps around.
		uint32_t next_distance = place - candidate;
		if (next_distance <= distance || next_distance > farthest)
			break;
		distance = next_distance;
		const uint8_t *there = here - distance;
		if (there[best.length] == here[best.length]) {
			uint32_t length = common_length(here, there, max);
			if (length > best.length)
				best = (struct match){length, distance};
			if (length == max || length >= GOOD_LENGTH)
				break;
		}
		candidate = finder->earlier[candidate % MATCH_MAX_DISTANCE];
	}
	return best.distance ? best : (struct match){0};
}

void match_finder_pass(struct match_finder *finder, const struct match_window *window, size_t index)
{
	if (window->size - index >= MATCH_MIN_LENGTH)
		remember(finder, window->bytes + index, window->first_place + (uint32_t)index);
}
