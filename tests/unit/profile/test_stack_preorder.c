// SPDX-License-Identifier: Apache-2.0

#include "profile/tree/stack_preorder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

#include <string.h>

static uint32_t push(struct stack_table *table, uint32_t parent, uint32_t frame)
{
	uint32_t stack = 0;
	assert_no_error(stack_table_push(table, parent, frame, &stack));
	return stack;
}

// Two trees: 0 (1 (4), 2 (5)) and 3.
static void fill(struct stack_table *table)
{
	push(table, STACK_NONE, 10);
	push(table, 0, 11);
	push(table, 0, 12);
	push(table, STACK_NONE, 13);
	push(table, 1, 14);
	push(table, 2, 15);
}

static void test_what_is_called_follows_its_caller(void **state)
{
	static const uint32_t expected[] = {0, 1, 4, 2, 5, 3};
	_cleanup_(stack_table_deinit) struct stack_table table = STACK_TABLE_INIT;
	fill(&table);
	_cleanup_free_ uint32_t *order = NULL;
	assert_no_error(stack_preorder_create(&table, NULL, &order));
	assert_memory_equal(order, expected, sizeof(expected));
}

static void test_the_caller_chooses_the_order_of_siblings(void **state)
{
	static const uint32_t numbers[] = {3, 0, 2, 1, 5, 4};
	static const uint32_t expected[] = {3, 0, 2, 5, 1, 4};
	_cleanup_(stack_table_deinit) struct stack_table table = STACK_TABLE_INIT;
	fill(&table);
	_cleanup_free_ uint32_t *order = NULL;
	assert_no_error(stack_preorder_create(&table, numbers, &order));
	assert_memory_equal(order, expected, sizeof(expected));
}

static void test_an_empty_table(void **state)
{
	_cleanup_(stack_table_deinit) struct stack_table table = STACK_TABLE_INIT;
	_cleanup_free_ uint32_t *order = NULL;
	assert_no_error(stack_preorder_create(&table, NULL, &order));
	assert_int_equal(stack_table_max_depth(&table), 0);
	fill(&table);
	assert_int_equal(stack_table_max_depth(&table), 3);
}

int stack_preorder_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_called_follows_its_caller),
		cmocka_unit_test(test_the_caller_chooses_the_order_of_siblings),
		cmocka_unit_test(test_an_empty_table),
	};
	return cmocka_run_group_tests_name("stack_preorder", tests, NULL, NULL);
}
