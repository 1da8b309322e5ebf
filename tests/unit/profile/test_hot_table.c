// SPDX-License-Identifier: Apache-2.0

#include "profile/hot/hot_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/container/array.h"

#include "tests/unit/assert_error.h"

static struct hot_entry entry(uint32_t item, uint64_t self, uint64_t total)
{
	return (struct hot_entry){item, {self, self}, {total, total}};
}

#define LIST(whole_count, ...)                                                             \
	{                                                                                  \
		.key = HOT_INTERPRETED_LINE, .entries = (struct hot_entry[]){__VA_ARGS__}, \
		.num_entries = ARRAY_SIZE(((struct hot_entry[]){__VA_ARGS__})),            \
		.whole = {whole_count, whole_count},                                       \
	}

// Item 4 is hot in the first event, 9 in the second; 1 of 2 samples of a third says little.
static void test_events_stand_side_by_side(void **state)
{
	const struct hot_list lists[] = {
		LIST(1000, entry(4, 600, 600), entry(9, 100, 900), entry(NAMED_NONE, 300, 300)),
		LIST(1000, entry(9, 800, 1000), entry(NAMED_NONE, 200, 200)),
		LIST(2, entry(7, 1, 1), entry(4, 1, 2)),
	};
	_cleanup_(hot_table_deinit) struct hot_table table = HOT_TABLE_INIT;
	assert_no_error(hot_table_create(lists, ARRAY_SIZE(lists), &table));
	static const uint32_t items[] = {9, 4, NAMED_NONE, 7};
	static const uint64_t selves[][3] = {{100, 800, 0}, {600, 0, 1}, {300, 200, 0}, {0, 0, 1}};
	assert_int_equal(table.num_rows, ARRAY_SIZE(items));
	assert_int_equal(table.key, HOT_INTERPRETED_LINE);
	for (size_t i = 0; i < ARRAY_SIZE(items); i++) {
		assert_int_equal(table.rows[i].item, items[i]);
		for (size_t k = 0; k < 3; k++)
			assert_int_equal(table.rows[i].cells[k].self.count, selves[i][k]);
	}
	assert_int_equal(table.rows[0].cells[0].total.count, 900);
	assert_int_equal(hot_table_none(&table, 1).count, 200);
	assert_int_equal(hot_table_none(&table, 2).count, 0);
}

static void test_one_event_keeps_its_order(void **state)
{
	const struct hot_list list = LIST(10, entry(3, 6, 6), entry(1, 4, 10), entry(2, 0, 10));
	_cleanup_(hot_table_deinit) struct hot_table table = HOT_TABLE_INIT;
	assert_no_error(hot_table_create(&list, 1, &table));
	assert_int_equal(table.num_rows, 3);
	assert_int_equal(table.rows[0].item, 3);
	assert_int_equal(table.rows[1].item, 1);
	assert_int_equal(table.rows[2].item, 2);
}

static void test_nothing_gives_nothing(void **state)
{
	const struct hot_list empty = HOT_LIST_INIT;
	_cleanup_(hot_table_deinit) struct hot_table table = HOT_TABLE_INIT;
	assert_no_error(hot_table_create(&empty, 1, &table));
	assert_int_equal(table.num_rows, 0);
	assert_int_equal(hot_table_none(&table, 0).count, 0);
}

int hot_table_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_events_stand_side_by_side),
		cmocka_unit_test(test_one_event_keeps_its_order),
		cmocka_unit_test(test_nothing_gives_nothing),
	};
	return cmocka_run_group_tests_name("hot_table", tests, NULL, NULL);
}
