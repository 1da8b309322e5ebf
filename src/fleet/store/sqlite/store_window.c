// SPDX-License-Identifier: Apache-2.0
// The bytes, behind two of a mark all of them packed numbers:
//
//	scale
//	for each stack, in ascending order:
//		its number less that of the one before (0 before the first), twice;
//		one more if the count is not 1
//		count, only if it is not 1
//		weight, only if the scale is 0; else the weight is count * scale
//
// Samples on a timer or with a fixed period all weigh the same, so that the weights need no bytes.
// Where the kernel adapts the period (-F), each weight is there. Most stacks have one sample in a
// window.
//
// Stores up to version 2 of the tables have no mark, the number once, and each count. The mark is a
// zero in two bytes, which is never written for a number.

#include "fleet/store/sqlite/store_window.h"

#include "fleet/store/sqlite/packed_number.h"

#include <string.h>

static const char mark[] = {(char)0x80, 0};

void store_window_pack(const struct store_pair *pairs, size_t num, struct string_builder *bytes)
{
	uint64_t scale = store_pair_scale(pairs, num);
	uint64_t before = 0;
	string_builder_append_n(bytes, mark, sizeof(mark));
	packed_number_append(bytes, scale);
	for (size_t i = 0; i < num; i++) {
		bool has_count = pairs[i].total.count != 1;
		packed_number_append(bytes, (pairs[i].stack - before) << 1 | has_count);
		if (has_count)
			packed_number_append(bytes, pairs[i].total.count);
		if (!scale)
			packed_number_append(bytes, pairs[i].total.weight);
		before = pairs[i].stack;
	}
}

void store_window_open(struct store_window *window, const void *data, size_t size)
{
	*window = (struct store_window){.reader = reader_create(data, size)};
	window->has_counts = size < sizeof(mark) || memcmp(data, mark, sizeof(mark)) != 0;
	if (!window->has_counts)
		reader_skip(&window->reader, sizeof(mark));
	window->scale = reader_uleb128(&window->reader);
}

bool store_window_next(struct store_window *window, struct store_pair *ret)
{
	struct reader *reader = &window->reader;
	if (!reader_left(reader))
		return false;
	uint64_t step = reader_uleb128(reader);
	uint64_t count = window->has_counts || step & 1 ? reader_uleb128(reader) : 1;
	step >>= !window->has_counts;
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
