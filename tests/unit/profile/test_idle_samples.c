// SPDX-License-Identifier: Apache-2.0
#include "profile/idle_samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/container/array.h"
#include "tests/unit/profile_fixture.h"
#include "tests/unit/profile_total.h"

enum { IDLE_THREAD, WORKER };

static void test_names(void **state)
{
	static const char *const idle[] = {"pv_native_safe_halt", "default_idle", "cpu_idle_poll",
					   "acpi_idle_do_entry",  "intel_idle",   "mwait_idle",
					   "cpuidle_enter_state", "do_idle",      "KiIdleLoop"};
	static const char *const busy[] = {"", "handle_softirqs", "net_rx_action", "schedule",
					   "hal"};
	for (size_t i = 0; i < ARRAY_SIZE(idle); i++)
		assert_true(idle_samples_is_idle_function(idle[i]));
	for (size_t i = 0; i < ARRAY_SIZE(busy); i++)
		assert_false(idle_samples_is_idle_function(busy[i]));
}

static uint32_t frame_of(struct named_profile *profile, const char *name, enum frame_kind kind,
			 bool is_inlined)
{
	struct named_function function = {.name = fixture_string(profile, name),
					  .module = fixture_module(profile, "[kernel]"),
					  .kind = kind};
	uint32_t index = 0;
	assert_no_error(named_profile_function(profile, &function, &index));
	struct named_frame frame = {.function = index, .is_inlined = is_inlined};
	assert_no_error(named_profile_frame(profile, &frame, &index));
	return index;
}

static void add(struct named_profile *profile, uint32_t thread, uint32_t leaf, uint32_t caller,
		uint64_t weight)
{
	uint32_t frames[] = {leaf, caller};
	fixture_sample(profile, frames, caller == NAMED_NONE ? 1 : 2, weight);
	profile->samples[profile->num_samples - 1].thread = thread;
}

/** The idle task idles, handles an interrupt and runs code that nobody names; a program has a
 *  function that is called idle. */
static void create(struct named_profile *profile)
{
	assert_no_error(named_profile_init(profile));
	fixture_thread(profile, 0, 0, "swapper/0", "swapper/0");
	fixture_thread(profile, 7, 7, "app", "app");
	fixture_event(profile, "cpu-clock");
	uint32_t loop = frame_of(profile, "do_idle", FRAME_KERNEL, false);
	uint32_t halt = frame_of(profile, "pv_native_safe_halt", FRAME_KERNEL, false);
	uint32_t inlined = frame_of(profile, "native_irq_enable", FRAME_KERNEL, true);
	uint32_t interrupt = frame_of(profile, "handle_softirqs", FRAME_KERNEL, false);
	uint32_t unknown = frame_of(profile, "[unknown]", FRAME_KERNEL, false);
	uint32_t user = frame_of(profile, "idle_wait", FRAME_NATIVE, false);
	add(profile, IDLE_THREAD, halt, loop, 100);
	add(profile, IDLE_THREAD, inlined, halt, 10);
	add(profile, IDLE_THREAD, unknown, NAMED_NONE, 1);
	add(profile, IDLE_THREAD, interrupt, loop, 2000);
	add(profile, WORKER, halt, NAMED_NONE, 3000);
	add(profile, WORKER, user, NAMED_NONE, 4000);
}

static void test_only_the_idle_task_in_its_loop(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	create(&profile);
	assert_no_error(idle_samples_leave_out(&profile, NULL));
	assert_int_equal(profile.num_samples, 3);
	assert_int_equal(profile_total(&profile, 0).weight, 9000);
	assert_int_equal(profile.events[0].idle.count, 3);
	assert_int_equal(profile.events[0].idle.weight, 111);
	assert_int_equal(profile.events[0].with_idle.count, 6);
	assert_int_equal(profile.events[0].with_idle.weight, 9111);
	assert_true(idle_samples_percent(&profile.events[0]) > 1.21 &&
		    idle_samples_percent(&profile.events[0]) < 1.22);
}

static void test_share_of_a_part(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	create(&profile);
	struct profile_criteria criteria = PROFILE_CRITERIA_ALL;
	criteria.start_ns = 2;
	criteria.end_ns = 5;
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	assert_no_error(profile_filter_create(&profile, &criteria, &filter));
	assert_no_error(idle_samples_leave_out(&profile, filter));
	assert_int_equal(profile.num_samples, 3);
	assert_int_equal(profile.events[0].idle.weight, 1);
	assert_int_equal(profile.events[0].with_idle.weight, 5001);
}

static void test_nothing_is_idle(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	fixture_random_profile(&profile, 1, 50);
	assert_no_error(idle_samples_leave_out(&profile, NULL));
	assert_int_equal(profile.num_samples, 50);
	assert_true(idle_samples_percent(&profile.events[0]) == 0);
}

int idle_samples_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_only_the_idle_task_in_its_loop),
		cmocka_unit_test(test_share_of_a_part),
		cmocka_unit_test(test_nothing_is_idle),
	};
	return cmocka_run_group_tests_name("idle_samples", tests, NULL, NULL);
}
