// SPDX-License-Identifier: Apache-2.0

#include "profile/spe/spe_list.h"

#include "base/cleanup.h"
#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "profile/tree/stack_table.h"
#include "tests/unit/spe_fixture.h"

enum { NUM = 2000 };

static uint64_t total_latency(const struct spe_stats *stats)
{
	return stats->latencies[SPE_COUNTER_TOTAL].sum;
}

/** The samples of a function, by looking at each. */
static void check_row(const struct spe_row *row, const struct named_profile *profile,
		      const struct spe_sample *samples, const struct profile_filter *filter)
{
	uint64_t count = 0, latency = 0;
	for (size_t i = 0; i < NUM; i++) {
		const struct spe_place *place = &samples[i].place;
		if (!spe_filter_takes(filter, place->stack, place->thread, place->event))
			continue;
		uint32_t frame = profile->stacks.nodes[place->stack].frame;
		if (profile->frames[frame].function != row->item)
			continue;
		count++;
		latency += spe_record_latency(&samples[i].record, SPE_COUNTER_TOTAL);
	}
	assert_int_equal(row->stats.count, count);
	assert_int_equal(total_latency(&row->stats), latency);
}

static void test_rows_are_those_of_the_slow_way(void **state)
{
	static struct spe_sample samples[NUM];
	_cleanup_(named_profile_deinit) struct named_profile profile;
	spe_fixture_profile(&profile, samples, NUM);
	struct profile_criteria criteria = PROFILE_CRITERIA_ALL;
	criteria.thread = "worker";
	_cleanup_(profile_filter_destroyp) struct profile_filter *worker = NULL;
	assert_no_error(profile_filter_create(&profile, &criteria, &worker));
	const struct profile_filter *const filters[] = {NULL, worker};
	for (size_t i = 0; i < ARRAY_SIZE(filters); i++) {
		_cleanup_(spe_list_deinit) struct spe_list list = SPE_LIST_INIT;
		assert_no_error(spe_list_create(&profile, HOT_FUNCTION, SPE_ORDER_LATENCY,
						filters[i], &list));
		assert_true(list.num_rows > 3);
		uint64_t count = 0;
		for (size_t k = 0; k < list.num_rows; k++) {
			check_row(&list.rows[k], &profile, samples, filters[i]);
			count += list.rows[k].stats.count;
			if (k)
				assert_true(total_latency(&list.rows[k - 1].stats) >=
					    total_latency(&list.rows[k].stats));
		}
		assert_int_equal(list.whole.count, count);
		assert_true(filters[i] ? count < NUM : count == NUM);
	}
}

static void test_every_key_and_order_takes_all_samples(void **state)
{
	static struct spe_sample samples[NUM];
	_cleanup_(named_profile_deinit) struct named_profile profile;
	spe_fixture_profile(&profile, samples, NUM);
	static const unsigned keys[] = {HOT_LINE,   HOT_MODULE,    HOT_ADDRESS,
					SPE_BY_ALL, SPE_BY_ORIGIN, SPE_BY_OPERATION};
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		for (unsigned order = 0; order < SPE_NUM_ORDERS; order++) {
			_cleanup_(spe_list_deinit) struct spe_list list = SPE_LIST_INIT;
			assert_no_error(spe_list_create(&profile, keys[i], order, NULL, &list));
			uint64_t count = 0;
			for (size_t k = 0; k < list.num_rows; k++) {
				count += list.rows[k].stats.count;
				if (k)
					assert_true(
						spe_order_weight(order, &list.rows[k - 1].stats) >=
						spe_order_weight(order, &list.rows[k].stats));
			}
			assert_int_equal(list.whole.count, count);
			if (keys[i] == SPE_BY_ORIGIN)
				assert_true(count > NUM / 4 && count < NUM);
			else
				assert_int_equal(count, NUM);
		}
	}
}

static void test_samples_without_a_stack_have_a_row(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	assert_no_error(spe_profile_create(&profile.spe));
	struct spe_sample sample = {.record = spe_test_access(false, 0, 3),
				    .place = {.stack = STACK_NONE}};
	assert_no_error(spe_profile_add(profile.spe, &sample));
	_cleanup_(spe_list_deinit) struct spe_list list = SPE_LIST_INIT;
	assert_no_error(spe_list_create(&profile, HOT_LINE, SPE_ORDER_COUNT, NULL, &list));
	assert_int_equal(list.num_rows, 1);
	assert_int_equal(list.rows[0].item, NAMED_NONE);
}

int spe_list_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_are_those_of_the_slow_way),
		cmocka_unit_test(test_every_key_and_order_takes_all_samples),
		cmocka_unit_test(test_samples_without_a_stack_have_a_row),
	};
	return cmocka_run_group_tests_name("spe_list", tests, NULL, NULL);
}
