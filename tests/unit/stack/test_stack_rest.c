// SPDX-License-Identifier: Apache-2.0

#include "stack/stack_rest.h"

#include "base/cleanup.h"
#include "process/memory/process_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { STACK = 0x10000, COPIED = 1024, WHOLE = 200 << 10, SLOT = 8 };

/** A process whose stack goes on behind what a sample copied of it. */
struct fixture {
	uint8_t *stack;
	uint8_t copied[COPIED];
	struct process_memory memory;
	struct stack_copy copy;
	struct stack_rest rest;
	size_t num_reads;
};

static size_t read_stack(void *context, uint64_t address, void *bytes, size_t size)
{
	struct fixture *fixture = context;
	fixture->num_reads++;
	if (address < STACK || address >= STACK + WHOLE)
		return 0;
	size_t left = (size_t)(STACK + WHOLE - address);
	size = size < left ? size : left;
	memcpy(bytes, fixture->stack + (address - STACK), size);
	return size;
}

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	fixture->stack = malloc(WHOLE);
	for (uint64_t i = 0; i < WHOLE; i += SLOT)
		memcpy(fixture->stack + i, &i, sizeof(i));
	memcpy(fixture->copied, fixture->stack, COPIED);
	fixture->memory = (struct process_memory){.read = read_stack, .context = fixture};
	fixture->copy = (struct stack_copy){STACK, fixture->copied, COPIED};
	stack_rest_begin(&fixture->rest, &fixture->memory, &fixture->copy);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;
	stack_rest_deinit(&fixture->rest);
	free(fixture->stack);
	free(fixture);
	return 0;
}

static bool reads(struct fixture *fixture, uint64_t offset)
{
	uint64_t value = 0;
	bool is_there =
		stack_rest_read(&fixture->rest, STACK + COPIED - 64, STACK + offset, &value);
	if (is_there)
		assert_int_equal(value, offset);
	return is_there;
}

static void what_is_above_the_copy_is_read(void **state)
{
	struct fixture *fixture = *state;
	assert_true(reads(fixture, COPIED));
	assert_true(reads(fixture, 5000));
	assert_int_equal(fixture->num_reads, 1);
	assert_true(reads(fixture, WHOLE - SLOT));
	assert_false(reads(fixture, WHOLE));
	assert_false(reads(fixture, (size_t)4 << 20));
}

static void a_deep_stack_is_read_in_one_go_the_next_time(void **state)
{
	struct fixture *fixture = *state;
	assert_true(reads(fixture, COPIED));
	assert_true(reads(fixture, 100 << 10));
	fixture->num_reads = 0;
	stack_rest_begin(&fixture->rest, &fixture->memory, &fixture->copy);
	assert_true(reads(fixture, COPIED));
	assert_true(reads(fixture, 100 << 10));
	assert_int_equal(fixture->num_reads, 1);
}

static void inner_functions_may_have_gone_on(void **state)
{
	struct fixture *fixture = *state;
	fixture->stack[100]++;
	assert_true(reads(fixture, COPIED));
}

static void a_stack_whose_outer_half_has_changed_is_refused(void **state)
{
	struct fixture *fixture = *state;
	fixture->stack[COPIED - 200]++;
	assert_false(reads(fixture, COPIED));
	assert_false(reads(fixture, 5000)); // also later
	assert_int_equal(fixture->num_reads, 1);
}

static void a_stack_that_changes_between_two_reads_is_refused(void **state)
{
	struct fixture *fixture = *state;
	assert_true(reads(fixture, COPIED));
	fixture->stack[COPIED + 100]++;
	assert_false(reads(fixture, WHOLE - SLOT));
}

static void without_a_process_there_is_nothing(void **state)
{
	struct fixture *fixture = *state;
	stack_rest_begin(&fixture->rest, NULL, &fixture->copy);
	assert_false(reads(fixture, COPIED));
	const struct process_memory gone = process_memory_of(0x7fffffff);
	stack_rest_begin(&fixture->rest, &gone, &fixture->copy);
	assert_false(reads(fixture, COPIED));
}

static void a_copy_too_small_to_recognize_is_refused(void **state)
{
	struct fixture *fixture = *state;
	fixture->copy.size = 256;
	stack_rest_begin(&fixture->rest, &fixture->memory, &fixture->copy);
	assert_false(reads(fixture, COPIED));
	assert_int_equal(fixture->num_reads, 0);
}

int stack_rest_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_is_above_the_copy_is_read, setup, teardown),
		cmocka_unit_test_setup_teardown(a_deep_stack_is_read_in_one_go_the_next_time, setup,
						teardown),
		cmocka_unit_test_setup_teardown(inner_functions_may_have_gone_on, setup, teardown),
		cmocka_unit_test_setup_teardown(a_stack_whose_outer_half_has_changed_is_refused,
						setup, teardown),
		cmocka_unit_test_setup_teardown(a_stack_that_changes_between_two_reads_is_refused,
						setup, teardown),
		cmocka_unit_test_setup_teardown(without_a_process_there_is_nothing, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_copy_too_small_to_recognize_is_refused, setup,
						teardown),
	};
	return cmocka_run_group_tests_name("stack_rest", tests, NULL, NULL);
}
