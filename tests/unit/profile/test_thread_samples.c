// SPDX-License-Identifier: Apache-2.0

#include "profile/thread_samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/profile_fixture.h"

static void test_each_thread_has_its_samples_in_order(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	fixture_random_profile(&profile, 2, 300);
	_cleanup_(thread_samples_deinit) struct thread_samples samples = THREAD_SAMPLES_INIT;
	assert_no_error(thread_samples_create(&profile, 1, &samples));
	assert_int_equal(samples.starts[0], 0);
	for (size_t thread = 0; thread < profile.num_threads; thread++) {
		size_t place = samples.starts[thread];
		for (size_t i = 0; i < profile.num_samples; i++) {
			if (profile.samples[i].thread == thread && profile.samples[i].event == 1)
				assert_int_equal(samples.samples[place++], i);
		}
		assert_int_equal(place, samples.starts[thread + 1]);
		assert_true(place > samples.starts[thread]);
	}
}

static void test_nothing_gives_nothing(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	_cleanup_(thread_samples_deinit) struct thread_samples samples = THREAD_SAMPLES_INIT;
	assert_no_error(thread_samples_create(&profile, NAMED_NONE, &samples));
	assert_int_equal(samples.starts[0], 0);
}

int thread_samples_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_thread_has_its_samples_in_order),
		cmocka_unit_test(test_nothing_gives_nothing),
	};
	return cmocka_run_group_tests_name("thread_samples", tests, NULL, NULL);
}
