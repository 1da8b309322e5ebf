// SPDX-License-Identifier: Apache-2.0

#include "profile/profile_filter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text/name_pattern.h"

#include "tests/unit/profile_fixture.h"

#include <string.h>

static bool slow_stack(const struct named_profile *profile, const struct profile_criteria *criteria,
		       uint32_t stack)
{
	if (!criteria->module && !criteria->symbol)
		return true;
	for (; stack != STACK_NONE; stack = profile->stacks.nodes[stack].parent) {
		uint32_t frame = profile->stacks.nodes[stack].frame;
		const struct named_function *function =
			&profile->functions[profile->frames[frame].function];
		const char *module =
			function->module == NAMED_NONE
				? NULL
				: named_profile_text(profile,
						     profile->modules[function->module].path);
		bool in_module = !criteria->module ||
				 (module && name_pattern_match_glob(criteria->module, module));
		if (in_module &&
		    (!criteria->symbol ||
		     name_pattern_match_symbol(criteria->symbol,
					       named_profile_text(profile, function->name))))
			return true;
	}
	return false;
}

static bool slow_takes(const struct named_profile *profile, const struct profile_criteria *criteria,
		       const struct named_sample *sample)
{
	const struct named_thread *thread = &profile->threads[sample->thread];
	if (criteria->thread && strcmp(criteria->thread, "2") == 0 && thread->tid != 2)
		return false;
	if (criteria->thread && strcmp(criteria->thread, "main") == 0 &&
	    strcmp(named_profile_text(profile, thread->name), "main") != 0)
		return false;
	return sample->time_ns >= criteria->start_ns && sample->time_ns < criteria->end_ns &&
	       (criteria->event == NAMED_NONE || criteria->event == sample->event) &&
	       (criteria->pid == NAMED_NONE || criteria->pid == thread->pid) &&
	       (criteria->cpu == NAMED_NONE || criteria->cpu == sample->cpu) &&
	       slow_stack(profile, criteria, sample->stack);
}

static void assert_like_slow_way(const struct profile_criteria *criteria)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	fixture_random_profile(&profile, 3, 500);
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	assert_no_error(profile_filter_create(&profile, criteria, &filter));
	size_t num_taken = 0;
	for (size_t i = 0; i < profile.num_samples; i++) {
		bool takes = profile_filter_takes(filter, &profile.samples[i]);
		assert_int_equal(takes, slow_takes(&profile, criteria, &profile.samples[i]));
		num_taken += takes;
	}
	assert_true(num_taken > 0 && num_taken < profile.num_samples);
	profile_filter_keep(filter, &profile);
	assert_int_equal(profile.num_samples, num_taken);
	for (size_t i = 0; i < profile.num_samples; i++)
		assert_true(slow_takes(&profile, criteria, &profile.samples[i]));
}

static void test_each_criterion_and_several(void **state)
{
	enum { NUM_CRITERIA = 11 };
	struct profile_criteria criteria[NUM_CRITERIA];
	for (size_t i = 0; i < NUM_CRITERIA; i++)
		criteria[i] = (struct profile_criteria)PROFILE_CRITERIA_ALL;
	criteria[0].start_ns = 1000;
	criteria[1].end_ns = 20000;
	criteria[2].event = 1;
	criteria[3].pid = 3;
	criteria[4].cpu = 2;
	criteria[5].thread = "2";
	criteria[6].thread = "main";
	criteria[7].module = "lib1*";
	criteria[8].symbol = "function_7";
	criteria[9].symbol = "2$";
	criteria[10].symbol = "2$";
	criteria[10].module = "lib2.so";
	criteria[10].event = 0;
	criteria[10].start_ns = 500;
	for (size_t i = 0; i < NUM_CRITERIA; i++)
		assert_like_slow_way(&criteria[i]);
}

static void test_no_criteria_and_no_filter_take_all(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	fixture_random_profile(&profile, 3, 100);
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	struct profile_criteria all = PROFILE_CRITERIA_ALL;
	assert_no_error(profile_filter_create(&profile, &all, &filter));
	for (size_t i = 0; i < profile.num_samples; i++) {
		assert_true(profile_filter_takes(filter, &profile.samples[i]));
		assert_true(profile_filter_takes(NULL, &profile.samples[i]));
	}
}

static void test_symbol_and_module_must_be_of_one_frame(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	uint32_t a = fixture_function(&profile, "a", fixture_module(&profile, "one.so"));
	uint32_t b = fixture_function(&profile, "b", fixture_module(&profile, "two.so"));
	fixture_sample(&profile,
		       (uint32_t[]){fixture_frame(&profile, a, 1, 1),
				    fixture_frame(&profile, b, 1, 2)},
		       2, 1);
	struct profile_criteria criteria = PROFILE_CRITERIA_ALL;
	criteria.symbol = "a";
	criteria.module = "two.so";
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	fixture_thread(&profile, 1, 1, "main", "app");
	assert_no_error(profile_filter_create(&profile, &criteria, &filter));
	assert_false(profile_filter_takes(filter, &profile.samples[0]));
}

int profile_filter_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_criterion_and_several),
		cmocka_unit_test(test_no_criteria_and_no_filter_take_all),
		cmocka_unit_test(test_symbol_and_module_must_be_of_one_frame),
	};
	return cmocka_run_group_tests_name("profile_filter", tests, NULL, NULL);
}
