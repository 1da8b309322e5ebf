// SPDX-License-Identifier: Apache-2.0

#include "stack/stack_completions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { INNER = 1000, WAY = 7, OTHER_WAY = 8 };

static void one_way_is_taken(void **state)
{
	struct stack_completions known = {0};
	for (int i = 0; i < 100; i++)
		assert_true(stack_completions_agree(&known, INNER, WAY));
	assert_true(stack_completions_agree(&known, INNER + 1, OTHER_WAY));
}

static void two_ways_are_not(void **state)
{
	struct stack_completions known = {0};
	int num_taken = 0;
	for (int i = 0; i < 100; i++)
		num_taken += stack_completions_agree(&known, INNER, i % 10 < 7 ? WAY : OTHER_WAY);
	assert_in_range(num_taken, 1, 7); // until the second one was met
}

static void a_rare_odd_one_is_left_out(void **state)
{
	struct stack_completions known = {0};
	for (int i = 0; i < 1000; i++) {
		bool is_odd = i % 50 == 49;
		assert_int_equal(stack_completions_agree(&known, INNER, is_odd ? OTHER_WAY : WAY),
				 !is_odd);
	}
}

static void an_odd_one_may_come_first(void **state)
{
	struct stack_completions known = {0};
	stack_completions_agree(&known, INNER, OTHER_WAY);
	int num_taken = 0;
	for (int i = 0; i < 100; i++)
		num_taken += stack_completions_agree(&known, INNER, WAY);
	assert_in_range(num_taken, 60, 99);
}

static void a_newer_one_takes_the_place_of_an_older_one(void **state)
{
	struct stack_completions known = {0};
	assert_true(stack_completions_agree(&known, INNER, WAY));
	assert_true(stack_completions_agree(&known, INNER + STACK_COMPLETIONS, OTHER_WAY));
	assert_true(stack_completions_agree(&known, INNER, OTHER_WAY));
}

int stack_completions_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_way_is_taken),
		cmocka_unit_test(two_ways_are_not),
		cmocka_unit_test(a_rare_odd_one_is_left_out),
		cmocka_unit_test(an_odd_one_may_come_first),
		cmocka_unit_test(a_newer_one_takes_the_place_of_an_older_one),
	};
	return cmocka_run_group_tests_name("stack_completions", tests, NULL, NULL);
}
