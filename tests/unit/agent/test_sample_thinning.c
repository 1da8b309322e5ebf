// SPDX-License-Identifier: Apache-2.0

#include "agent/sample_thinning.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

#define SECOND_NS UINT64_C(1000000000)

static void test_sums_stay_what_they_are_on_average(void **state)
{
	enum { NUM = 50, ROUNDS = 4000 };
	struct sample_dice dice = {12345};
	double weight = 0, expected = 0;
	uint64_t count = 0, whole_count = 0;
	for (uint32_t i = 0; i < NUM; i++) {
		expected += 1000.0 * (i + 1) * (1 + i % 7);
		whole_count += 1 + i % 7;
	}
	for (int round = 0; round < ROUNDS; round++) {
		struct named_sample samples[NUM];
		for (uint32_t i = 0; i < NUM; i++)
			samples[i] = (struct named_sample){.weight = 1000 * (i + 1) * (1 + i % 7),
							   .count = 1 + i % 7,
							   .stack = i};
		size_t num = sample_thinning_apply(&dice, samples, NUM, 0.1);
		for (size_t i = 0; i < num; i++) {
			weight += (double)samples[i].weight / ROUNDS;
			count += samples[i].count;
			assert_true(samples[i].count > 0);
			// What a sum weighs is a multiple of what one of its samples does.
			assert_int_equal(samples[i].weight % (10000 * (samples[i].stack + 1)), 0);
		}
	}
	// The deviation of one round is about 18 %, of their mean 0.3 %.
	assert_true(weight > 0.98 * expected && weight < 1.02 * expected);
	assert_in_range(count, (uint64_t)(0.98 * 0.1 * ROUNDS * (double)whole_count),
			(uint64_t)(1.02 * 0.1 * ROUNDS * (double)whole_count));
}

static void test_large_weights_stay_large(void **state)
{
	struct named_sample samples[] = {{.weight = UINT64_MAX - 1, .count = 1},
					 {.weight = 3, .count = 1}};
	sample_thinning_scale(samples, 2, 10);
	assert_true(samples[0].weight == UINT64_MAX);
	assert_int_equal(samples[1].weight, 30);
}

static double keep_of(struct sample_budgets *budgets, const char *service, uint64_t num,
		      uint64_t now_s)
{
	double keep = -1;
	assert_no_error(sample_budgets_take(budgets, service, num, now_s * SECOND_NS,
					    60 * SECOND_NS, &keep));
	return keep;
}

static void test_a_budget_grows_with_time(void **state)
{
	_cleanup_(sample_budgets_deinit) struct sample_budgets budgets = {.per_hour = 3600};
	assert_true(keep_of(&budgets, "a", 60, 10000) == 1);
	assert_true(keep_of(&budgets, "a", 600, 10060) == 0.1);
	assert_true(keep_of(&budgets, "b", 120, 10060) == 0.5);
	// Half an hour without samples is saved; several hours are no more than one.
	assert_true(keep_of(&budgets, "a", 1800, 11860) == 1);
	assert_true(keep_of(&budgets, "b", 7200, 10060 + 3600) == 0.5);
	// There is always one.
	assert_true(keep_of(&budgets, "b", 1000, 10060 + 3600) == 0.001);
	assert_int_equal(budgets.num_items, 2);
	// Services that are gone are forgotten.
	keep_of(&budgets, "c", 1, 30000);
	assert_int_equal(budgets.num_items, 1);
}

static void test_without_a_budget_all_is_kept(void **state)
{
	struct sample_budgets budgets = {.per_hour = 0};
	assert_true(keep_of(&budgets, "a", 1000000, 1) == 1);
	assert_null(budgets.items);
}

int sample_thinning_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums_stay_what_they_are_on_average),
		cmocka_unit_test(test_large_weights_stay_large),
		cmocka_unit_test(test_a_budget_grows_with_time),
		cmocka_unit_test(test_without_a_budget_all_is_kept),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
