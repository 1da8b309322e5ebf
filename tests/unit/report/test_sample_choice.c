// SPDX-License-Identifier: Apache-2.0

#include "report/recorded/sample_choice.h"

#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/profile_fixture.h"

enum { CYCLES, MISSES };

static struct named_profile two_events(void)
{
	struct named_profile profile = {.start_time_ns = 5000000000};
	assert_int_equal(fixture_event(&profile, "cycles"), CYCLES);
	assert_int_equal(fixture_event(&profile, "misses"), MISSES);
	return profile;
}

static void events_are_chosen_by_name(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile = two_events();
	const struct sample_choice all = {.event = NULL}, misses = {.event = "misses"};
	assert_no_error(sample_choice_check_event(&all, &profile));
	assert_true(sample_choice_wants_event(&all, &profile, CYCLES));
	assert_int_equal(sample_choice_single_event(&all, &profile), NAMED_NONE);
	assert_no_error(sample_choice_check_event(&misses, &profile));
	assert_false(sample_choice_wants_event(&misses, &profile, CYCLES));
	assert_int_equal(sample_choice_next_event(&misses, &profile, 0), MISSES);
	assert_int_equal(sample_choice_next_event(&misses, &profile, MISSES + 1),
			 profile.num_events);
	assert_int_equal(sample_choice_single_event(&misses, &profile), MISSES);
}

static void what_is_not_there_is_an_error(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile = two_events();
	_cleanup_(named_profile_deinit) struct named_profile empty = {0};
	const struct sample_choice all = {.event = NULL}, loads = {.event = "loads"};
	struct error *err = sample_choice_check_event(&loads, &profile);
	assert_non_null(err);
	assert_string_equal(err->message, "the recording has no event 'loads'");
	assert_string_equal(err->hint, "its events: cycles, misses");
	error_destroy(err);
	assert_error(sample_choice_check_event(&all, &empty), ERROR_FAILED,
		     "the recording has no events");
}

static void times_begin_with_the_first_sample(void **state)
{
	static const struct {
		const char *range;
		uint64_t start_ns, end_ns;
	} cases[] = {
		{"1.5,2", 6500000000, 7000000000},
		{"0.25,", 5250000000, 5000000000 + UINT64_C(1000000000000000000)},
		{",2", 5000000000, 7000000000},
	};
	_cleanup_(named_profile_deinit) struct named_profile profile = two_events();
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
		const struct sample_choice choice = {.time_range = cases[i].range};
		assert_no_error(sample_choice_filter(&choice, &profile, NAMED_NONE, &filter));
		assert_int_equal(filter->start_ns, cases[i].start_ns);
		assert_int_equal(filter->end_ns, cases[i].end_ns);
	}
}

static void a_range_has_two_times(void **state)
{
	static const char *const ranges[] = {"2,1.5", "1,1", "-1,2", "1;2", "a,b", "1,2x", "inf,"};
	_cleanup_(named_profile_deinit) struct named_profile profile = two_events();
	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++) {
		struct profile_filter *filter = NULL;
		const struct sample_choice choice = {.time_range = ranges[i]};
		struct error *err = sample_choice_filter(&choice, &profile, NAMED_NONE, &filter);
		assert_non_null(err);
		assert_int_equal(err->code, ERROR_USAGE);
		assert_string_equal(err->hint, "give seconds since the first sample: --time 1.5,2");
		error_destroy(err);
	}
}

int sample_choice_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_are_chosen_by_name),
		cmocka_unit_test(what_is_not_there_is_an_error),
		cmocka_unit_test(times_begin_with_the_first_sample),
		cmocka_unit_test(a_range_has_two_times),
	};
	return cmocka_run_group_tests_name("sample_choice", tests, NULL, NULL);
}
