// SPDX-License-Identifier: Apache-2.0

#include "record/etl/etl_stacks.h"

#include "record/record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "assert_error.h"

enum { THREAD = 7, A_TIME = 1000 };

static void add(struct etl_stacks *stacks, uint8_t opcode, uint64_t time_ns, uint64_t key,
		uint64_t address)
{
	const struct etl_event event = {
		.time_ns = time_ns, .opcode = opcode, .pointer_size = sizeof(address)};
	const struct etl_stack stack = {
		.time_ns = time_ns,
		.tid = THREAD,
		.key = key,
		.addresses = (const uint8_t *)&address,
		.num_addresses = address ? 1 : 0,
	};
	assert_no_error(etl_stacks_add(stacks, &event, &stack));
}

/** The address of a stack of one; 0: there is none. */
static uint64_t found(struct etl_stacks *stacks, uint64_t time_ns)
{
	const uint64_t *chain;
	size_t length;
	assert_no_error(etl_stacks_find(stacks, time_ns, THREAD, 0, &chain, &length));
	assert_true(length == 0 || length == 2);
	if (!length)
		return 0;
	assert_true(chain[0] == RECORD_CONTEXT_USER);
	return chain[1];
}

static void test_every_stack_is_found(void **state)
{
	(void)state;
	// More than wait at a time, some of them again, and some by keys.
	enum { NUM = 1000, NUM_DIFFERENT = 300, EACH_KEY = 7 };
	struct etl_stacks stacks = ETL_STACKS_INIT;
	for (uint64_t i = 1; i <= NUM; i++) {
		uint64_t address = i % NUM_DIFFERENT + 1;
		if (i % EACH_KEY)
			add(&stacks, ETL_STACK, i, 0, address);
		else
			add(&stacks, ETL_STACK_USER_KEY, i, address, 0);
	}
	for (uint64_t address = 1; address <= NUM_DIFFERENT; address++)
		add(&stacks, ETL_STACK_RUNDOWN, NUM + 1, address, address);
	assert_no_error(etl_stacks_end(&stacks));
	for (uint64_t i = 1; i <= NUM; i++)
		assert_true(found(&stacks, i) == i % NUM_DIFFERENT + 1);
	assert_true(stacks.num_parts == NUM && stacks.num_left_out == 0);
	assert_true(etl_stacks_num_unmatched(&stacks) == 0);
	etl_stacks_deinit(&stacks);
}

static void test_of_one_time_the_first_counts(void **state)
{
	(void)state;
	struct etl_stacks stacks = ETL_STACKS_INIT;
	add(&stacks, ETL_STACK, A_TIME, 0, 1);
	add(&stacks, ETL_STACK_USER_KEY, A_TIME, 5, 0);
	add(&stacks, ETL_STACK_USER_KEY, A_TIME + 1, 5, 0);
	add(&stacks, ETL_STACK, A_TIME + 1, 0, 1);
	add(&stacks, ETL_STACK_RUNDOWN, A_TIME + 2, 5, 2);
	assert_no_error(etl_stacks_end(&stacks));
	assert_true(found(&stacks, A_TIME) == 1);
	assert_true(found(&stacks, A_TIME + 1) == 2);
	etl_stacks_deinit(&stacks);
}

static void test_too_many_keys_are_left_out_and_counted(void **state)
{
	(void)state;
	struct etl_stacks stacks = ETL_STACKS_INIT;
	stacks.max_keys = 1;
	add(&stacks, ETL_STACK_USER_KEY, A_TIME, 5, 0);
	add(&stacks, ETL_STACK_USER_KEY, A_TIME + 1, 6, 0);
	add(&stacks, ETL_STACK_USER_KEY, A_TIME + 2, 5, 0);
	add(&stacks, ETL_STACK_RUNDOWN, A_TIME + 3, 6, 2);
	add(&stacks, ETL_STACK_RUNDOWN, A_TIME + 3, 5, 1);
	assert_no_error(etl_stacks_end(&stacks));
	assert_true(found(&stacks, A_TIME) == 1);
	assert_true(found(&stacks, A_TIME + 1) == 0);
	assert_true(found(&stacks, A_TIME + 2) == 1);
	assert_true(stacks.num_left_out == 1);
	etl_stacks_deinit(&stacks);
}

int etl_stacks_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_stack_is_found),
		cmocka_unit_test(test_of_one_time_the_first_counts),
		cmocka_unit_test(test_too_many_keys_are_left_out_and_counted),
	};
	return cmocka_run_group_tests_name("etl_stacks", tests, NULL, NULL);
}
