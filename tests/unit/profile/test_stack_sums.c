// SPDX-License-Identifier: Apache-2.0

#include "profile/tree/stack_sums.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/profile_fixture.h"
#include "tests/unit/profile_total.h"

static bool is_on(const struct named_profile *profile, uint32_t stack, uint32_t wanted)
{
	while (stack != STACK_NONE && stack != wanted)
		stack = profile->stacks.nodes[stack].parent;
	return stack == wanted;
}

static void test_sums_are_those_of_the_slow_way(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	fixture_random_profile(&profile, 4, 150);
	struct profile_criteria criteria = PROFILE_CRITERIA_ALL;
	criteria.event = 1;
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	assert_no_error(profile_filter_create(&profile, &criteria, &filter));
	_cleanup_(stack_sums_deinit) struct stack_sums sums = STACK_SUMS_INIT;
	assert_no_error(stack_sums_create(&profile, filter, &sums));
	for (uint32_t stack = 0; stack < profile.stacks.num_nodes; stack++) {
		struct named_total self = {0}, total = {0};
		for (size_t i = 0; i < profile.num_samples; i++) {
			const struct named_sample *sample = &profile.samples[i];
			struct named_total sum = {sample->count, sample->weight};
			if (sample->event == 1 && sample->stack == stack)
				named_total_add(&self, sum);
			if (sample->event == 1 && is_on(&profile, sample->stack, stack))
				named_total_add(&total, sum);
		}
		assert_int_equal(sums.self[stack].weight, self.weight);
		assert_int_equal(sums.total[stack].weight, total.weight);
		assert_int_equal(sums.total[stack].count, total.count);
	}
	struct named_total whole = profile_total(&profile, 1);
	assert_int_equal(sums.whole.weight, whole.weight);
	assert_int_equal(sums.whole.count, whole.count);
	assert_true(sums.none.count > 0);
}

int stack_sums_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums_are_those_of_the_slow_way),
	};
	return cmocka_run_group_tests_name("stack_sums", tests, NULL, NULL);
}
