// SPDX-License-Identifier: Apache-2.0

#include "profile/hot/rolling_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/container/array.h"

#include "tests/unit/assert_error.h"

static struct hot_entry entry(uint32_t item, uint64_t self, uint64_t total)
{
	return (struct hot_entry){item, {self, 10 * self}, {total, 10 * total}};
}

static void add(struct rolling_list *rolling, struct hot_entry *entries, size_t num_entries,
		uint64_t whole, double keep)
{
	const struct hot_list list = {.key = HOT_FUNCTION,
				      .entries = entries,
				      .num_entries = num_entries,
				      .whole = {whole, 10 * whole}};
	assert_no_error(rolling_list_add(rolling, &list, keep));
}

static void assert_entry(const struct hot_entry *got, uint32_t item, uint64_t self, uint64_t total)
{
	assert_int_equal(got->item, item);
	assert_int_equal(got->self.count, self);
	assert_int_equal(got->self.weight, 10 * self);
	assert_int_equal(got->total.count, total);
	assert_int_equal(got->total.weight, 10 * total);
}

static void test_intervals_fade(void **state)
{
	_cleanup_(rolling_list_deinit) struct rolling_list rolling = ROLLING_LIST_INIT;
	add(&rolling, (struct hot_entry[]){entry(3, 80, 100), entry(0, 20, 20)}, 2, 100, 0.5);
	add(&rolling, (struct hot_entry[]){entry(5, 70, 70), entry(3, 10, 80)}, 2, 80, 0.5);
	_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
	assert_no_error(rolling_list_show(&rolling, NULL, NULL, &list));
	assert_int_equal(list.key, HOT_FUNCTION);
	assert_int_equal(list.num_entries, 3);
	assert_entry(&list.entries[0], 5, 70, 70);
	assert_entry(&list.entries[1], 3, 50, 130);
	assert_entry(&list.entries[2], 0, 10, 10);
	assert_int_equal(list.whole.count, 130);
	assert_int_equal(list.whole.weight, 1300);
}

static void test_all_and_nothing_of_before(void **state)
{
	static const double keeps[] = {1, 0};
	static const uint64_t expected[] = {30, 10};
	for (size_t i = 0; i < ARRAY_SIZE(keeps); i++) {
		_cleanup_(rolling_list_deinit) struct rolling_list rolling = ROLLING_LIST_INIT;
		_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
		for (size_t j = 0; j < 3; j++)
			add(&rolling, (struct hot_entry[]){entry(1, 10, 10)}, 1, 10, keeps[i]);
		assert_no_error(rolling_list_show(&rolling, NULL, NULL, &list));
		assert_int_equal(list.num_entries, 1);
		assert_entry(&list.entries[0], 1, expected[i], expected[i]);
		assert_int_equal(list.whole.count, expected[i]);
	}
}

static void test_what_has_faded_is_gone(void **state)
{
	_cleanup_(rolling_list_deinit) struct rolling_list rolling = ROLLING_LIST_INIT;
	_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
	add(&rolling, (struct hot_entry[]){entry(1, 1, 1)}, 1, 1, 0.5);
	for (size_t i = 0; i < 3; i++)
		add(&rolling, NULL, 0, 0, 0.5);
	assert_no_error(rolling_list_show(&rolling, NULL, NULL, &list));
	assert_int_equal(list.num_entries, 0);
}

static bool is_even(const void *context, uint32_t function)
{
	return function % 2 == 0;
}

static void test_hidden_functions_still_count(void **state)
{
	_cleanup_(rolling_list_deinit) struct rolling_list rolling = ROLLING_LIST_INIT;
	_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
	add(&rolling,
	    (struct hot_entry[]){entry(1, 60, 60), entry(2, 30, 30), entry(NAMED_NONE, 10, 10)}, 3,
	    100, 1);
	assert_no_error(rolling_list_show(&rolling, is_even, NULL, &list));
	assert_int_equal(list.num_entries, 2);
	assert_entry(&list.entries[0], 2, 30, 30);
	assert_entry(&list.entries[1], NAMED_NONE, 10, 10);
	assert_int_equal(list.whole.count, 100);
}

static void test_cleared_is_empty(void **state)
{
	_cleanup_(rolling_list_deinit) struct rolling_list rolling = ROLLING_LIST_INIT;
	_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
	add(&rolling, (struct hot_entry[]){entry(4, 6, 6), entry(NAMED_NONE, 1, 1)}, 2, 7, 1);
	rolling_list_clear(&rolling);
	assert_no_error(rolling_list_show(&rolling, NULL, NULL, &list));
	assert_int_equal(list.num_entries, 0);
	assert_int_equal(list.whole.count, 0);
	add(&rolling, (struct hot_entry[]){entry(4, 5, 5)}, 1, 5, 1);
	hot_list_deinit(&list);
	assert_no_error(rolling_list_show(&rolling, NULL, NULL, &list));
	assert_entry(&list.entries[0], 4, 5, 5);
}

int rolling_list_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_intervals_fade),
		cmocka_unit_test(test_all_and_nothing_of_before),
		cmocka_unit_test(test_what_has_faded_is_gone),
		cmocka_unit_test(test_hidden_functions_still_count),
		cmocka_unit_test(test_cleared_is_empty),
	};
	return cmocka_run_group_tests_name("rolling_list", tests, NULL, NULL);
}
