// SPDX-License-Identifier: Apache-2.0

#include "session/sample_sums.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

enum {
	NUM_STACKS = 50,
	NUM_THREADS = 7,
	NUM_EVENTS = 3,
	NUM_CPUS = 4,
	NUM_ROUNDS = 5,
	NUM_OF_STATE = NUM_STACKS * NUM_THREADS * NUM_EVENTS * NUM_CPUS
};

/** The n-th of all that differ in what counts. */
static struct named_sample make_sample(uint32_t n, uint64_t time_ns)
{
	return (struct named_sample){
		.time_ns = time_ns,
		.weight = n + time_ns,
		.count = 1,
		.stack = n % NUM_STACKS,
		.thread = n / NUM_STACKS % NUM_THREADS,
		.event = n / NUM_STACKS / NUM_THREADS % NUM_EVENTS,
		.cpu = n / NUM_STACKS / NUM_THREADS / NUM_EVENTS % NUM_CPUS,
		.gil = (enum gil_state)(n / NUM_OF_STATE),
	};
}

static void equal_samples_are_one(void **state)
{
	static const uint32_t num_different = NUM_OF_STATE * GIL_NUM_STATES;
	_cleanup_(sample_sums_deinit) struct sample_sums sums = SAMPLE_SUMS_INIT;
	_cleanup_(named_profile_deinit) struct named_profile profile = {0};
	assert_no_error(named_profile_init(&profile));
	for (uint32_t round = 1; round <= NUM_ROUNDS; round++) {
		for (uint32_t n = 0; n < num_different; n++) {
			struct named_sample sample = make_sample(n, round);
			uint64_t hash = sample_sums_hash(&sample);
			sample_sums_prefetch_index(&sums, hash);
			sample_sums_prefetch_sample(&sums, &profile, hash);
			assert_no_error(sample_sums_add(&sums, &profile, hash, &sample));
		}
	}
	assert_int_equal(profile.num_samples, num_different);
	for (uint32_t n = 0; n < num_different; n++) {
		const struct named_sample *sum = &profile.samples[n];
		struct named_sample first = make_sample(n, 1);
		assert_int_equal(sum->stack, first.stack);
		assert_int_equal(sum->thread, first.thread);
		assert_int_equal(sum->event, first.event);
		assert_int_equal(sum->cpu, first.cpu);
		assert_int_equal(sum->gil, first.gil);
		assert_int_equal(sum->time_ns, 1);
		assert_int_equal(sum->count, NUM_ROUNDS);
		assert_int_equal(sum->weight, NUM_ROUNDS * n + 1 + 2 + 3 + 4 + 5);
	}
}

int sample_sums_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_samples_are_one),
	};
	return cmocka_run_group_tests_name("sample_sums", tests, NULL, NULL);
}
