// SPDX-License-Identifier: Apache-2.0
// The bytes, all of them packed numbers:
//
//	scale
//	for each stack, in ascending order:
//		its number less that of the one before (0 before the first)
//		count
//		weight, only if the scale is 0; else the weight is count * scale
//
// Samples on a timer or with a fixed period all weigh the same, so that the weights need no bytes.
// Where the kernel adapts the period (-F), each weight is there.

#include "fleet/store/sqlite/store_window.h"

#include "base/saturating_sum.h"
#include "fleet/store/sqlite/packed_number.h"

#include <stdlib.h>

static int store_window_compare(const void *a, const void *b)
{
	const struct store_pair *one = a, *other = b;
	return (one->stack > other->stack) - (one->stack < other->stack);
}

void store_window_sort(struct store_pair *pairs, size_t *num)
{
	size_t kept = 0;
	if (*num)
		qsort(pairs, *num, sizeof(*pairs), store_window_compare);
	for (size_t i = 0; i < *num; i++) {
		struct named_total *last = kept ? &pairs[kept - 1].total : NULL;
		if (!last || pairs[kept - 1].stack != pairs[i].stack) {
			pairs[kept++] = pairs[i];
			continue;
		}
		last->count = saturating_sum(last->count, pairs[i].total.count);
		last->weight = saturating_sum(last->weight, pairs[i].total.weight);
	}
	*num = kept;
}

/** What a sample weighs, if all weigh the same; else 0. */
static uint64_t store_window_scale(const struct store_pair *pairs, size_t num)
{
	uint64_t scale =
		num && pairs[0].total.count ? pairs[0].total.weight / pairs[0].total.count : 0;
	for (size_t i = 0; i < num; i++) {
		uint64_t weight;
		if (__builtin_mul_overflow(pairs[i].total.count, scale, &weight) ||
		    weight != pairs[i].total.weight)
			return 0;
	}
	return scale;
}

void store_window_pack(const struct store_pair *pairs, size_t num, struct string_builder *bytes)
{
	uint64_t scale = store_window_scale(pairs, num);
	uint64_t before = 0;
	packed_number_append(bytes, scale);
	for (size_t i = 0; i < num; i++) {
		packed_number_append(bytes, pairs[i].stack - before);
		packed_number_append(bytes, pairs[i].total.count);
		if (!scale)
			packed_number_append(bytes, pairs[i].total.weight);
		before = pairs[i].stack;
	}
}

void store_window_open(struct store_window *window, const void *data, size_t size)
{
	*window = (struct store_window){.reader = reader_create(data, size)};
	window->scale = reader_uleb128(&window->reader);
}

bool store_window_next(struct store_window *window, struct store_pair *ret)
{
	struct reader *reader = &window->reader;
	if (!reader_left(reader))
		return false;
	uint64_t step = reader_uleb128(reader);
	uint64_t count = reader_uleb128(reader);
	uint64_t weight = window->scale ? 0 : reader_uleb128(reader);
	if (window->scale && __builtin_mul_overflow(count, window->scale, &weight))
		reader->failed = true;
	// Neither twice the same stack, nor a number that is none of SQLite's.
	if (!step || step > INT64_MAX - window->stack)
		reader->failed = true;
	if (reader->failed)
		return false;
	window->stack += step;
	*ret = (struct store_pair){.stack = window->stack, .total = {count, weight}};
	return true;
}
