// SPDX-License-Identifier: Apache-2.0

#include "profile/spe/spe_sums.h"

#include "base/cleanup.h"
#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "record/spe/spe_source_name.h"
#include "tests/unit/profile_fixture.h"
#include "tests/unit/spe_samples.h"

enum { NUM = 3000 };

struct sample {
	struct spe_record record;
	struct spe_place place;
};

static struct sample random_sample(uint32_t *seed)
{
	struct sample sample = {
		.record = spe_test_record(fixture_random(seed, 3), (uint8_t)fixture_random(seed, 4),
					  fixture_random(seed, 2) << SPE_EVENT_L1D_REFILL),
		.place = {.stack = fixture_random(seed, 5), .thread = fixture_random(seed, 2)},
	};
	for (unsigned i = 0; i < SPE_NUM_LATENCIES; i++)
		if (fixture_random(seed, 4))
			spe_test_latency(&sample.record, i, fixture_random(seed, 5000));
	return sample;
}

static bool is_of(const struct sample *sample, const struct spe_group *group)
{
	return sample->place.stack == group->stack && sample->place.thread == group->thread &&
	       sample->record.values[SPE_VALUE_EVENTS] == group->events &&
	       sample->record.values[SPE_VALUE_OPERATION] == group->operation;
}

static void check_group(const struct spe_group *group, const struct sample *samples)
{
	uint64_t count = 0;
	for (size_t i = 0; i < NUM; i++)
		count += is_of(&samples[i], group);
	assert_int_equal(group->count, count);
	for (unsigned k = 0; k < SPE_NUM_LATENCIES; k++) {
		uint64_t num_timed = 0, sum = 0, max = 0;
		for (size_t i = 0; i < NUM; i++) {
			if (!is_of(&samples[i], group) ||
			    !spe_record_has_latency(&samples[i].record, k))
				continue;
			uint32_t latency = spe_record_latency(&samples[i].record, k);
			num_timed++;
			sum += latency;
			max = latency > max ? latency : max;
		}
		assert_int_equal(group->latencies[k].count, num_timed);
		assert_int_equal(group->latencies[k].sum, sum);
		assert_int_equal(group->latencies[k].max, max);
		assert_int_equal(log_histogram_count(&group->latencies[k].histogram), num_timed);
	}
}

static void test_groups_are_those_of_the_slow_way(void **state)
{
	static struct sample samples[NUM];
	uint32_t seed = 11;
	_cleanup_(spe_sums_deinit) struct spe_sums sums = SPE_SUMS_INIT;
	for (size_t i = 0; i < NUM; i++) {
		samples[i] = random_sample(&seed);
		assert_no_error(spe_sums_add(&sums, &samples[i].record, &samples[i].place));
	}
	uint64_t whole = 0;
	for (size_t i = 0; i < sums.num_groups; i++) {
		check_group(&sums.groups[i], samples);
		whole += sums.groups[i].count;
	}
	assert_int_equal(whole, NUM);
	assert_int_equal(sums.num_samples, NUM);
	assert_true(sums.num_groups <= 3 * 4 * 2 * 5 * 2);
}

static void test_many_samples_take_no_more_room(void **state)
{
	_cleanup_(spe_sums_deinit) struct spe_sums sums = SPE_SUMS_INIT;
	const struct spe_place place = {.stack = 1};
	for (uint32_t i = 0; i < 200000; i++) {
		struct spe_record record = spe_test_access(false, i * 64, i % 4096);
		assert_no_error(spe_sums_add(&sums, &record, &place));
	}
	assert_int_equal(sums.num_groups, 1);
	assert_int_equal(sums.groups[0].count, 200000);
	assert_true(sums.groups[0].latencies[SPE_COUNTER_TOTAL].histogram.num <= 32 + 7 * 16);
}

static void test_what_was_not_told_is_not_the_same_as_zero(void **state)
{
	_cleanup_(spe_sums_deinit) struct spe_sums sums = SPE_SUMS_INIT;
	const struct spe_place place = {.stack = 1};
	struct spe_record bare = {};
	struct spe_record other = spe_test_record(SPE_CLASS_OTHER, 0, 0);
	assert_no_error(spe_sums_add(&sums, &bare, &place));
	assert_no_error(spe_sums_add(&sums, &other, &place));
	assert_int_equal(sums.num_groups, 2);
	assert_true(spe_latency_mean(&sums.groups[0].latencies[0]) == 0);
}

static void test_a_group_has_the_name_of_its_records(void **state)
{
	_cleanup_(spe_sums_deinit) struct spe_sums sums = SPE_SUMS_INIT;
	_cleanup_(string_builder_deinit) struct string_builder name = STRING_BUILDER_INIT;
	const struct spe_place place = {.stack = 1};
	struct spe_record record = spe_test_access(false, 0, 9);
	assert_no_error(spe_sums_add(&sums, &record, &place));
	spe_source_name_append(&name, spe_group_name_key(&sums.groups[0]));
	assert_string_equal(string_builder_peek(&name),
			    "LOAD_STORE_ATOMIC-LOAD-GP/retired+level1-data-cache-access");
}

int spe_sums_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_groups_are_those_of_the_slow_way),
		cmocka_unit_test(test_many_samples_take_no_more_room),
		cmocka_unit_test(test_what_was_not_told_is_not_the_same_as_zero),
		cmocka_unit_test(test_a_group_has_the_name_of_its_records),
	};
	return cmocka_run_group_tests_name("spe_sums", tests, NULL, NULL);
}
