// SPDX-License-Identifier: Apache-2.0

#include "profile/sample_groups.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/profile_fixture.h"
#include "tests/unit/profile_total.h"

static bool same_functions(const struct named_profile *profile, uint32_t a, uint32_t b)
{
	while (a != STACK_NONE && b != STACK_NONE) {
		const struct stack_node *left = &profile->stacks.nodes[a];
		const struct stack_node *right = &profile->stacks.nodes[b];
		if (profile->frames[left->frame].function != profile->frames[right->frame].function)
			return false;
		a = left->parent;
		b = right->parent;
	}
	return a == b;
}

static bool is_of_group(const struct named_profile *profile, const struct named_sample *sample,
			const struct sample_group *group, enum sample_grouping grouping)
{
	if (grouping == SAMPLE_GROUPS_BY_STACK)
		return sample->thread == group->thread && sample->stack == group->stack;
	return profile->threads[sample->thread].name == profile->threads[group->thread].name &&
	       same_functions(profile, sample->stack, group->stack);
}

static size_t assert_groups(uint32_t event, enum sample_grouping grouping)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	fixture_random_profile(&profile, 9, 600);
	_cleanup_(sample_groups_deinit) struct sample_groups groups = SAMPLE_GROUPS_INIT;
	assert_no_error(sample_groups_create(&profile, event, grouping, &groups));
	struct named_total all = {0};
	for (size_t i = 0; i < groups.num_groups; i++) {
		struct named_total expected = {0};
		for (size_t j = 0; j < profile.num_samples; j++) {
			const struct named_sample *sample = &profile.samples[j];
			bool is_of_event = event == NAMED_NONE || sample->event == event;
			if (is_of_event &&
			    is_of_group(&profile, sample, &groups.groups[i], grouping))
				named_total_add(&expected, (struct named_total){sample->count,
										sample->weight});
		}
		assert_int_equal(groups.groups[i].total.count, expected.count);
		assert_int_equal(groups.groups[i].total.weight, expected.weight);
		named_total_add(&all, expected);
	}
	assert_int_equal(all.weight, profile_total(&profile, event).weight);
	return groups.num_groups;
}

static void test_sums_are_those_of_the_slow_way(void **state)
{
	size_t by_stack = assert_groups(NAMED_NONE, SAMPLE_GROUPS_BY_STACK);
	size_t by_name = assert_groups(NAMED_NONE, SAMPLE_GROUPS_BY_NAME);
	assert_true(by_name < by_stack);
	assert_groups(1, SAMPLE_GROUPS_BY_STACK);
	assert_groups(0, SAMPLE_GROUPS_BY_NAME);
}

static void test_nothing_gives_nothing(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	_cleanup_(sample_groups_deinit) struct sample_groups groups = SAMPLE_GROUPS_INIT;
	assert_no_error(sample_groups_create(&profile, NAMED_NONE, SAMPLE_GROUPS_BY_NAME, &groups));
	assert_int_equal(groups.num_groups, 0);
}

int sample_groups_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums_are_those_of_the_slow_way),
		cmocka_unit_test(test_nothing_gives_nothing),
	};
	return cmocka_run_group_tests_name("sample_groups", tests, NULL, NULL);
}
