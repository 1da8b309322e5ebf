// SPDX-License-Identifier: Apache-2.0

#include "base/container/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/container/array.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_zero(const unsigned char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (bytes[i])
			return false;
	}
	return true;
}

static void test_pieces_are_zeroed_aligned_and_apart(void **state)
{
	enum { NUM_PIECES = 3000 };
	static unsigned char *pieces[NUM_PIECES];
	static size_t sizes[NUM_PIECES];
	_cleanup_(arena_deinit) struct arena arena = ARENA_INIT;
	srand(1);
	for (size_t i = 0; i < NUM_PIECES; i++) {
		sizes[i] = (size_t)rand() % (i % 100 ? 300 : 100000);
		pieces[i] = arena_alloc(&arena, sizes[i]);
		assert_non_null(pieces[i]);
		assert_int_equal((uintptr_t)pieces[i] % alignof(max_align_t), 0);
		assert_true(is_zero(pieces[i], sizes[i]));
		memset(pieces[i], (int)(i % 255) + 1, sizes[i]);
	}
	for (size_t i = 0; i < NUM_PIECES; i++) {
		for (size_t j = 0; j < sizes[i]; j++)
			assert_int_equal(pieces[i][j], i % 255 + 1);
	}
}

static void test_empty_pieces_differ(void **state)
{
	_cleanup_(arena_deinit) struct arena arena = ARENA_INIT;
	void *first = arena_alloc(&arena, 0);
	void *second = arena_alloc(&arena, 0);
	assert_non_null(first);
	assert_non_null(second);
	assert_ptr_not_equal(first, second);
}

static void test_absurd_sizes_give_null(void **state)
{
	static const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 15, PTRDIFF_MAX, SIZE_MAX / 2 + 1};
	_cleanup_(arena_deinit) struct arena arena = ARENA_INIT;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
		assert_null(arena_alloc(&arena, sizes[i]));
	assert_null(arena_alloc_array(&arena, SIZE_MAX / 8 + 1, 8));
	assert_null(arena_alloc_array(&arena, 8, SIZE_MAX / 8 + 1));
	assert_non_null(arena_alloc(&arena, 8));
}

static void test_arrays_have_room_for_all_items(void **state)
{
	_cleanup_(arena_deinit) struct arena arena = ARENA_INIT;
	uint64_t *numbers = arena_alloc_array(&arena, 10000, sizeof(*numbers));
	assert_true(is_zero((unsigned char *)numbers, 10000 * sizeof(*numbers)));
	memset(numbers, 1, 10000 * sizeof(*numbers));
	assert_non_null(arena_alloc_array(&arena, 0, 8));
	assert_non_null(arena_alloc_array(&arena, 8, 0));
}

static void test_strings_are_copied(void **state)
{
	_cleanup_(arena_deinit) struct arena arena = ARENA_INIT;
	char text[] = "cycles";
	char *copy = arena_strdup(&arena, text);
	char *part = arena_strndup(&arena, text, 3);
	text[0] = 'x';
	assert_string_equal(copy, "cycles");
	assert_string_equal(part, "cyc");
	assert_string_equal(arena_strdup(&arena, ""), "");
}

static void test_strndup_stops_at_the_end_of_the_string(void **state)
{
	_cleanup_(arena_deinit) struct arena arena = ARENA_INIT;
	assert_string_equal(arena_strndup(&arena, "ab", 1000), "ab");
	static const char unterminated[3] = {'a', 'b', 'c'};
	assert_string_equal(arena_strndup(&arena, unterminated, 3), "abc");
	assert_string_equal(arena_strndup(&arena, "ab", 0), "");
}

static void test_formatted_strings_have_any_length(void **state)
{
	_cleanup_(arena_deinit) struct arena arena = ARENA_INIT;
	assert_string_equal(arena_printf(&arena, "%s/%u", "cpu", 7U), "cpu/7");
	assert_string_equal(arena_printf(&arena, "%s", ""), "");
	assert_int_equal(strlen(arena_printf(&arena, "%10000d", 1)), 10000);
}

static void test_an_arena_lives_again_after_deinit(void **state)
{
	struct arena arena = ARENA_INIT;
	arena_deinit(&arena);
	assert_non_null(arena_alloc(&arena, 10));
	arena_deinit(&arena);
	arena_deinit(&arena);
}

int arena_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pieces_are_zeroed_aligned_and_apart),
		cmocka_unit_test(test_empty_pieces_differ),
		cmocka_unit_test(test_absurd_sizes_give_null),
		cmocka_unit_test(test_arrays_have_room_for_all_items),
		cmocka_unit_test(test_strings_are_copied),
		cmocka_unit_test(test_strndup_stops_at_the_end_of_the_string),
		cmocka_unit_test(test_formatted_strings_have_any_length),
		cmocka_unit_test(test_an_arena_lives_again_after_deinit),
	};
	return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
