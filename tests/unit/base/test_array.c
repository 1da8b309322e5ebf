// SPDX-License-Identifier: Apache-2.0

#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct item {
	uint32_t number;
	char name[12];
};

struct list {
	struct item *items;
	size_t num_items, cap_items;
};

static void test_appending_keeps_all_items(void **state)
{
	struct list list = {0};
	size_t num_moves = 0;
	for (uint32_t i = 0; i < 10000; i++) {
		size_t capacity = list.cap_items;
		assert_null(array_reserve(&list.items, &list.cap_items, list.num_items + 1));
		list.items[list.num_items++] = (struct item){.number = i};
		num_moves += capacity != list.cap_items;
	}
	for (uint32_t i = 0; i < 10000; i++)
		assert_int_equal(list.items[i].number, i);
	assert_in_range(num_moves, 1, 20);
	free(list.items);
}

static void test_a_large_count_is_served_at_once(void **state)
{
	struct list list = {0};
	assert_null(array_reserve(&list.items, &list.cap_items, 1000));
	assert_in_range(list.cap_items, 1000, 2000);
	struct item *items = list.items;
	assert_null(array_reserve(&list.items, &list.cap_items, 1000));
	assert_ptr_equal(list.items, items);
	free(list.items);
}

static void test_reserving_nothing_allocates_nothing(void **state)
{
	struct list list = {0};
	assert_null(array_reserve(&list.items, &list.cap_items, 0));
	assert_null(list.items);
	assert_int_equal(list.cap_items, 0);
}

static void test_an_absurd_count_changes_nothing(void **state)
{
	static const size_t counts[] = {SIZE_MAX, SIZE_MAX / sizeof(struct item) + 2,
					PTRDIFF_MAX / sizeof(struct item) + 1};
	struct list list = {0};
	assert_null(array_reserve(&list.items, &list.cap_items, 3));
	struct list before = list;
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		struct error *err = array_reserve(&list.items, &list.cap_items, counts[i]);
		assert_ptr_equal(err, &error_no_memory);
		assert_memory_equal(&list, &before, sizeof(list));
	}
	free(list.items);
}

int array_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_appending_keeps_all_items),
		cmocka_unit_test(test_a_large_count_is_served_at_once),
		cmocka_unit_test(test_reserving_nothing_allocates_nothing),
		cmocka_unit_test(test_an_absurd_count_changes_nothing),
	};
	return cmocka_run_group_tests_name("array", tests, NULL, NULL);
}
