// SPDX-License-Identifier: Apache-2.0

#include "fleet/store/sqlite/store_window.h"

#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/** Packed and unpacked again it is the same; the bytes it took. */
static size_t check_round_trip(const struct store_pair *pairs, size_t num)
{
	_cleanup_(string_builder_deinit) struct string_builder bytes = STRING_BUILDER_INIT;
	struct store_window window;
	struct store_pair pair;
	store_window_pack(pairs, num, &bytes);
	assert_false(bytes.failed);
	store_window_open(&window, bytes.text, bytes.length);
	for (size_t i = 0; i < num; i++) {
		assert_true(store_window_next(&window, &pair));
		assert_int_equal(pair.stack, pairs[i].stack);
		assert_int_equal(pair.total.count, pairs[i].total.count);
		assert_int_equal(pair.total.weight, pairs[i].total.weight);
	}
	assert_false(store_window_next(&window, &pair));
	assert_false(window.reader.failed);
	return bytes.length;
}

static void test_equal_weights_take_no_bytes(void **state)
{
	const struct store_pair pairs[] = {
		{1, {3, 3000}},
		{2, {1, 1000}},
		{1000, {200, 200000}},
	};
	// 2 of the mark, 2 of the scale, 2 for the first, 1 for one sample, 4 for the last.
	assert_int_equal(check_round_trip(pairs, ARRAY_SIZE(pairs)), 11);
}

static void test_other_weights_are_exact(void **state)
{
	const struct store_pair pairs[] = {
		{1, {3, 3001}},
		{7, {0, 5}},
		{INT64_MAX, {UINT64_MAX, UINT64_MAX}},
	};
	check_round_trip(pairs, ARRAY_SIZE(pairs));
	check_round_trip(pairs, 0);
	// One whose scale would overflow at the next.
	const struct store_pair large[] = {{1, {1, UINT64_MAX}}, {2, {2, 7}}};
	check_round_trip(large, ARRAY_SIZE(large));
}

static void test_sorting_joins_equal_stacks(void **state)
{
	struct store_pair pairs[] = {{9, {1, 10}}, {2, {2, 20}}, {9, {4, UINT64_MAX}}};
	size_t num = ARRAY_SIZE(pairs);
	store_pair_sort(pairs, &num);
	assert_int_equal(num, 2);
	assert_int_equal(pairs[0].stack, 2);
	assert_int_equal(pairs[1].stack, 9);
	assert_int_equal(pairs[1].total.count, 5);
	assert_int_equal(pairs[1].total.weight, UINT64_MAX); // not less than one of them
}

/** As versions 1 and 2 of the tables have them. */
static void test_windows_of_older_stores_are_read(void **state)
{
	static const char bytes[] = "\xe8\x07\x01\x03\x01\x01\xe6\x07\xc8\x01";
	static const struct store_pair wanted[] = {
		{1, {3, 3000}},
		{2, {1, 1000}},
		{1000, {200, 200000}},
	};
	struct store_window window;
	struct store_pair pair;
	store_window_open(&window, bytes, sizeof(bytes) - 1);
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		assert_true(store_window_next(&window, &pair));
		assert_memory_equal(&pair, &wanted[i], sizeof(pair));
	}
	assert_false(store_window_next(&window, &pair));
	assert_false(window.reader.failed);
}

static void check_damaged(const void *bytes, size_t size)
{
	struct store_window window;
	struct store_pair pair;
	store_window_open(&window, bytes, size);
	while (store_window_next(&window, &pair))
		;
	assert_true(window.reader.failed);
}

static void test_damaged_bytes_are_noticed(void **state)
{
	check_damaged("", 0);
	check_damaged("\x80", 1);
	check_damaged("\x80\x00", 2);             // no scale
	check_damaged("\x80\x00\x01\x03", 4);     // a stack without its count
	check_damaged("\x80\x00\x01\x00", 4);     // no stack has number 0
	check_damaged("\x80\x00\x01\x01\x07", 5); // nor with a count
	check_damaged("\x80\x00\x00\x02", 4);     // without a scale the weight must be there
	// A number beyond 2^63, as the sum of two.
	check_damaged("\x80\x00\x01\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01\x02", 14);
	// Older stores:
	check_damaged("\x01\x01", 2);         // a stack without its count
	check_damaged("\x01\x00\x01", 3);     // no stack has number 0
	check_damaged("\x00\x01\x01", 3);     // without a scale the weight must be there
	check_damaged("\x01\x01\x01\x80", 4); // half a number
	// A number beyond 2^63, as one step and as the sum of two.
	check_damaged("\x01\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01\x01", 12);
	check_damaged("\x01\xff\xff\xff\xff\xff\xff\xff\xff\x7f\x01\x01\x01", 13);
	// 2^32 samples of 2^32 each
	check_damaged("\x80\x80\x80\x80\x10\x01\x80\x80\x80\x80\x10", 11);
}

int store_window_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal_weights_take_no_bytes),
		cmocka_unit_test(test_other_weights_are_exact),
		cmocka_unit_test(test_sorting_joins_equal_stacks),
		cmocka_unit_test(test_windows_of_older_stores_are_read),
		cmocka_unit_test(test_damaged_bytes_are_noticed),
	};
	return cmocka_run_group_tests_name("store_window", tests, NULL, NULL);
}
