// SPDX-License-Identifier: Apache-2.0

#include "profile/tree/stack_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/container/array.h"

#include "tests/unit/assert_error.h"

static uint32_t intern(struct stack_table *table, const uint32_t *frames, size_t num_frames)
{
	uint32_t stack = 0;
	assert_no_error(stack_table_intern(table, frames, num_frames, &stack));
	return stack;
}

static void test_equal_stacks_are_one(void **state)
{
	static const uint32_t leaf_first[] = {3, 2, 1};
	_cleanup_(stack_table_deinit) struct stack_table table = STACK_TABLE_INIT;
	uint32_t stack = intern(&table, leaf_first, 3);
	assert_int_equal(table.num_nodes, 3);
	assert_int_equal(intern(&table, leaf_first, 3), stack);
	assert_int_equal(table.num_nodes, 3);
	assert_int_equal(table.nodes[stack].frame, 3);
	assert_int_equal(table.nodes[stack].depth, 3);
}

static void test_outer_frames_are_shared(void **state)
{
	static const uint32_t one[] = {3, 2, 1};
	static const uint32_t other[] = {4, 2, 1};
	_cleanup_(stack_table_deinit) struct stack_table table = STACK_TABLE_INIT;
	uint32_t a = intern(&table, one, 3);
	uint32_t b = intern(&table, other, 3);
	assert_int_not_equal(a, b);
	assert_int_equal(table.num_nodes, 4);
	assert_int_equal(table.nodes[a].parent, table.nodes[b].parent);
	// The callers alone are a stack, too.
	assert_int_equal(intern(&table, one + 1, 2), table.nodes[a].parent);
	assert_int_equal(table.num_nodes, 4);
}

static void test_an_empty_stack_is_none(void **state)
{
	_cleanup_(stack_table_deinit) struct stack_table table = STACK_TABLE_INIT;
	assert_int_equal(intern(&table, NULL, 0), STACK_NONE);
	assert_int_equal(table.num_nodes, 0);
}

static void test_recursion_makes_new_nodes(void **state)
{
	static const uint32_t frames[] = {7, 7, 7};
	_cleanup_(stack_table_deinit) struct stack_table table = STACK_TABLE_INIT;
	uint32_t stack = intern(&table, frames, 3);
	assert_int_equal(table.num_nodes, 3);
	assert_int_equal(table.nodes[stack].depth, 3);
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 16;
}

static void assert_holds(const struct stack_table *table, uint32_t stack, const uint32_t *frames,
			 size_t num_frames)
{
	for (size_t i = 0; i < num_frames; i++) {
		const struct stack_node *node = &table->nodes[stack];
		assert_int_equal(node->frame, frames[i]);
		assert_int_equal(node->depth, num_frames - i);
		assert_true(node->parent == STACK_NONE || node->parent < stack);
		stack = node->parent;
	}
	assert_int_equal(stack, STACK_NONE);
}

static void test_many_stacks_can_be_read_back(void **state)
{
	enum { NUM_STACKS = 5000, MAX_DEPTH = 20 };
	static uint32_t frames[NUM_STACKS][MAX_DEPTH];
	static size_t depths[NUM_STACKS];
	static uint32_t stacks[NUM_STACKS];
	_cleanup_(stack_table_deinit) struct stack_table table = STACK_TABLE_INIT;
	uint32_t seed = 1;
	for (size_t i = 0; i < NUM_STACKS; i++) {
		depths[i] = 1 + next_random(&seed) % MAX_DEPTH;
		for (size_t j = 0; j < depths[i]; j++)
			frames[i][j] = next_random(&seed) % 4;
		stacks[i] = intern(&table, frames[i], depths[i]);
	}
	for (size_t i = 0; i < NUM_STACKS; i++) {
		assert_holds(&table, stacks[i], frames[i], depths[i]);
		assert_int_equal(intern(&table, frames[i], depths[i]), stacks[i]);
	}
}

int stack_table_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal_stacks_are_one),
		cmocka_unit_test(test_outer_frames_are_shared),
		cmocka_unit_test(test_an_empty_stack_is_none),
		cmocka_unit_test(test_recursion_makes_new_nodes),
		cmocka_unit_test(test_many_stacks_can_be_read_back),
	};
	return cmocka_run_group_tests_name("stack_table", tests, NULL, NULL);
}
