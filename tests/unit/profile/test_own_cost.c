// SPDX-License-Identifier: Apache-2.0

#include "profile/stored/own_cost.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/profile_fixture.h"

/** What an agent costs is no column beside the samples of programs. */
static void test_programs_stay(void **state)
{
	static const char *const names[] = {"agent-cpu", "cycles", "agent-memory", "cpu-clock"};
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	uint32_t frame = fixture_frame(&profile, fixture_function(&profile, "f", NAMED_NONE), 1, 0);
	for (uint32_t i = 0; i < 4; i++)
		fixture_event(&profile, names[i]);
	for (uint32_t i = 0; i < 4; i++) {
		fixture_sample(&profile, &frame, 1, 10 + i);
		profile.samples[i].event = i;
	}
	assert_no_error(own_cost_leave_out(&profile));
	assert_int_equal(profile.num_events, 2);
	assert_int_equal(profile.num_samples, 2);
	for (uint32_t i = 0; i < 2; i++) {
		assert_int_equal(profile.samples[i].weight, 11 + 2 * i);
		assert_int_equal(profile.samples[i].event, i);
		assert_string_equal(named_profile_text(&profile, profile.events[i].name),
				    names[2 * i + 1]);
	}
}

/** Who asks for nothing else sees it. */
static void test_alone_it_is_shown(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	uint32_t frame = fixture_frame(&profile, fixture_function(&profile, "f", NAMED_NONE), 1, 0);
	fixture_event(&profile, "agent-cpu");
	fixture_sample(&profile, &frame, 1, 10);
	assert_no_error(own_cost_leave_out(&profile));
	assert_int_equal(profile.num_events, 1);
	assert_int_equal(profile.num_samples, 1);
}

int own_cost_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_programs_stay),
		cmocka_unit_test(test_alone_it_is_shown),
	};
	return cmocka_run_group_tests_name("own_cost", tests, NULL, NULL);
}
