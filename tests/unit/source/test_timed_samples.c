// SPDX-License-Identifier: Apache-2.0

#include "source/timer/timed_samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "source/timer/system_call.h"
#include "tests/unit/assert_error.h"

enum { MS = 1000000, STACK_BYTES = 64, OWN = 7, OTHER = 8 };

static struct timed_sample *add(struct timed_samples *samples, uint32_t tid, uint64_t time_ns,
				bool in_kernel)
{
	const struct timed_sample sample = {.who = {.pid = 1, .tid = tid, .time_ns = time_ns},
					    .in_kernel = in_kernel};
	return timed_samples_add(samples, &sample);
}

static void time_goes_to_the_samples_that_wait(void **state)
{
	struct timed_samples samples = {0};
	assert_no_error(timed_samples_init(&samples, 0));
	const struct timed_sample *taken;
	uint64_t time_ns = 9;
	assert_false(timed_samples_share(&samples, OWN, false, &time_ns));
	add(&samples, OWN, 1 * MS, false);
	add(&samples, OTHER, 2 * MS, false);
	add(&samples, OWN, 3 * MS, true);
	add(&samples, OWN, 4 * MS, false);
	assert_false(timed_samples_take(&samples, 5 * MS, false, &taken));
	assert_true(timed_samples_share(&samples, OWN, false, &time_ns));
	assert_int_equal(time_ns, 1); // what cannot be divided stays
	time_ns = 5;
	assert_true(timed_samples_share(&samples, OWN, true, &time_ns));
	assert_true(timed_samples_take(&samples, 5 * MS, false, &taken));
	assert_int_equal(taken->weight_ns, 4);
	assert_false(
		timed_samples_take(&samples, 5 * MS, false, &taken)); // the other's is not known
	assert_true(timed_samples_have_older(&samples, 1, 3 * MS));
	assert_false(timed_samples_have_older(&samples, 1, 2 * MS));
	// What never ran is dropped.
	assert_true(timed_samples_take(&samples, 100 * MS, false, &taken));
	assert_int_equal(taken->weight_ns, 5);
	assert_true(timed_samples_take(&samples, 100 * MS, false, &taken));
	assert_int_equal(taken->who.time_ns, 4 * MS);
	assert_false(timed_samples_take(&samples, 100 * MS, true, &taken));
	timed_samples_deinit(&samples);
}

static void doubt_is_settled(void **state)
{
	struct timed_samples samples = {0};
	const struct timed_sample *taken;
	uint64_t time_ns = 8;
	add(&samples, OWN, 1, false)->state = TIMED_IN_DOUBT;
	assert_false(timed_samples_share(&samples, OWN, false, &time_ns));
	timed_samples_settle(&samples, OWN, TIMED_COUNTS);
	assert_true(timed_samples_share(&samples, OWN, false, &time_ns));
	assert_true(timed_samples_take(&samples, 2, false, &taken));
	add(&samples, OWN, 3, false)->state = TIMED_IN_DOUBT;
	timed_samples_settle(&samples, OWN, TIMED_VOID);
	assert_false(timed_samples_take(&samples, 4, false, &taken));
	assert_int_equal(samples.num, 0);
}

static void the_oldest_is_given_up(void **state)
{
	struct timed_samples samples = {0};
	assert_no_error(timed_samples_init(&samples, STACK_BYTES));
	for (size_t i = 0; i < TIMED_SAMPLES_MAX + 3; i++) {
		struct timed_sample *sample = add(&samples, OWN, i + 1, false);
		sample->stack_size = STACK_BYTES;
		memset(timed_samples_stack(&samples, sample), (int)i & 0xff, STACK_BYTES);
	}
	assert_int_equal(samples.num_lost, 3);
	uint64_t time_ns = TIMED_SAMPLES_MAX;
	timed_samples_share(&samples, OWN, false, &time_ns);
	for (size_t i = 3; i < TIMED_SAMPLES_MAX + 3; i++) {
		const struct timed_sample *taken;
		assert_true(timed_samples_take(&samples, 0, false, &taken));
		assert_int_equal(taken->who.time_ns, i + 1);
		assert_int_equal(timed_samples_stack(&samples, taken)[STACK_BYTES - 1], i & 0xff);
	}
	timed_samples_deinit(&samples);
}

static void calls_of_the_system_are_known(void **state)
{
	static const uint8_t x64[] = {0x90, 0xb8, 0x55, 0, 0, 0, 0x0f, 0x05};
	static const uint8_t old[] = {0x90, 0xb8, 0x55, 0, 0, 0, 0xcd, 0x2e};
	static const uint8_t wine[] = {0x90, 0xff, 0x14, 0x25, 0x00, 0x10, 0xfe, 0x7f};
	static const uint8_t arm64[] = {0, 0, 0, 0, 0x41, 0x15, 0x00, 0xd4};
	static const uint8_t neither[] = {0x0f, 0x05, 0x48, 0x89, 0xc8, 0x48, 0x01, 0xd8};
	assert_true(system_call_ends_x64(x64));
	assert_true(system_call_ends_x64(old));
	assert_true(system_call_ends_x64(wine));
	assert_false(system_call_ends_x64(neither));
	assert_true(system_call_ends_arm64(arm64));
	assert_false(system_call_ends_arm64(neither));
}

int timed_samples_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_goes_to_the_samples_that_wait),
		cmocka_unit_test(doubt_is_settled),
		cmocka_unit_test(the_oldest_is_given_up),
		cmocka_unit_test(calls_of_the_system_are_known),
	};
	return cmocka_run_group_tests_name("timed_samples", tests, NULL, NULL);
}
