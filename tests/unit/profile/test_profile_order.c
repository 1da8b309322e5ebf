// SPDX-License-Identifier: Apache-2.0

#include "profile/stored/profile_order.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/profile_fixture.h"

/** Threads are numbered by name: not as they came, which differs from store to store. */
static void test_threads_and_samples_are_sorted(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	fixture_string(&profile, "of nothing");
	uint32_t frame = fixture_frame(&profile, fixture_function(&profile, "f", NAMED_NONE), 1, 0);
	uint32_t shop = fixture_thread(&profile, 9, 9, "shop", "shop");
	uint32_t mail = fixture_thread(&profile, 9, 9, "mail", "mail");
	fixture_event(&profile, "cycles");
	for (int i = 0; i < 4; i++)
		fixture_sample(&profile, &frame, 1, 10 + i);
	for (int i = 0; i < 4; i++) {
		profile.samples[i].thread = i % 2 ? mail : shop;
		profile.samples[i].time_ns = i < 2 ? 7 : 3;
	}
	assert_no_error(profile_order_apply(&profile));
	static const struct {
		uint64_t time_ns, weight;
		const char *thread;
	} wanted[] = {{3, 13, "mail"}, {3, 12, "shop"}, {7, 11, "mail"}, {7, 10, "shop"}};
	for (size_t i = 0; i < 4; i++) {
		const struct named_sample *sample = &profile.samples[i];
		assert_int_equal(sample->time_ns, wanted[i].time_ns);
		assert_int_equal(sample->weight, wanted[i].weight);
		assert_string_equal(named_profile_text(&profile,
						       profile.threads[sample->thread].name),
				    wanted[i].thread);
	}
	for (uint32_t i = 0; i < profile.strings.num_entries; i++)
		assert_string_not_equal(named_profile_text(&profile, i), "of nothing");
	assert_string_equal(named_profile_text(&profile, profile.functions[0].name), "f");
	assert_string_equal(named_profile_text(&profile, profile.events[0].name), "cycles");
	assert_int_equal(fixture_frame(&profile, fixture_function(&profile, "f", NAMED_NONE), 1, 0),
			 frame);
	// A thread that is known already is found under its new number.
	uint32_t again = fixture_thread(&profile, 9, 9, "shop", "shop");
	assert_int_equal(again, 1);
	assert_int_equal(profile.num_threads, 2);
}

int profile_order_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_threads_and_samples_are_sorted),
	};
	return cmocka_run_group_tests_name("profile_order", tests, NULL, NULL);
}
