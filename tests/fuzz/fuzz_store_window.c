// SPDX-License-Identifier: Apache-2.0
// Input: what a store has packed, which anybody may have written: the pairs of a window, or the
// frames of a stack, as its first byte says.

#include "base/container/array.h"
#include "fleet/store/sqlite/sqlite_stack.h"
#include "fleet/store/sqlite/store_window.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Packed again and unpacked again, pairs are the same. */
static void check_again(const struct store_pair *pairs, size_t num)
{
	_cleanup_(string_builder_deinit) struct string_builder bytes = STRING_BUILDER_INIT;
	struct store_window window;
	struct store_pair pair;
	store_window_pack(pairs, num, &bytes);
	store_window_open(&window, bytes.text, bytes.length);
	for (size_t i = 0; i < num; i++)
		if (!store_window_next(&window, &pair) || pair.stack != pairs[i].stack ||
		    pair.total.count != pairs[i].total.count ||
		    pair.total.weight != pairs[i].total.weight)
			abort();
	if (store_window_next(&window, &pair) || window.reader.failed)
		abort();
}

static void read_window(const uint8_t *data, size_t size)
{
	struct store_window window;
	struct store_pair pairs[512];
	size_t num = 0;
	uint64_t before = 0;
	store_window_open(&window, data, size);
	while (num < ARRAY_SIZE(pairs) && store_window_next(&window, &pairs[num])) {
		if (pairs[num].stack <= before || pairs[num].stack > INT64_MAX)
			abort();
		before = pairs[num++].stack;
	}
	check_again(pairs, num);
}

static void read_stack(const uint8_t *data, size_t size)
{
	struct sqlite_stack stack;
	int64_t frame;
	sqlite_stack_open(&stack, data, size);
	if (stack.traits.gil >= GIL_NUM_STATES)
		abort();
	while (sqlite_stack_next(&stack, &frame))
		if (frame <= 0)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	if (data[0])
		read_stack(data + 1, size - 1);
	else
		read_window(data + 1, size - 1);
	return 0;
}
