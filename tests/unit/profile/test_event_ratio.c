// SPDX-License-Identifier: Apache-2.0

#include "profile/hot/event_ratio.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/profile_fixture.h"

/** The name of the ratio that @name has beside @other, or "". */
static const char *ratio_beside(const char *name, const char *other)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	fixture_event(&profile, name);
	fixture_event(&profile, other);
	struct event_ratio ratio;
	if (!event_ratio_find(&profile, 0, &ratio))
		return "";
	assert_int_equal(ratio.instructions, 1);
	return ratio.name;
}

static void test_names_of_perf_and_of_arm(void **state)
{
	assert_string_equal(ratio_beside("cycles", "instructions"), "CPI");
	assert_string_equal(ratio_beside("cycles:upp", "instructions:u"), "CPI");
	assert_string_equal(ratio_beside("cpu_cycles", "inst_retired"), "CPI");
	assert_string_equal(ratio_beside("armv8_pmuv3_0/cpu_cycles/u", "inst_retired:u"), "CPI");
	assert_string_equal(ratio_beside("cache-misses", "instructions"), "MPKI");
	assert_string_equal(ratio_beside("l1d_cache_refill", "inst_retired"), "MPKI");
	assert_string_equal(ratio_beside("branch-misses:u", "instructions:uP"), "MPKI");
	// Of other code, or no such events.
	assert_string_equal(ratio_beside("cycles:u", "instructions"), "");
	assert_string_equal(ratio_beside("cycles:k", "instructions:u"), "");
	assert_string_equal(ratio_beside("cycles", "inst_spec"), "");
	assert_string_equal(ratio_beside("cpu-clock", "instructions"), "");
	assert_string_equal(ratio_beside("instructions", "cycles"), "");
	assert_string_equal(ratio_beside("", ""), "");
	assert_string_equal(ratio_beside("/", "/"), "");
}

static void assert_near(double found, double wanted)
{
	if (fabs(found - wanted) > 0.005)
		print_error("%f is not %f\n", found, wanted);
	assert_true(fabs(found - wanted) <= 0.005);
}

static void test_a_ratio_is_of_weights_and_its_range_of_counts(void **state)
{
	const struct event_ratio cpi = {"CPI", "cpi", 1, 0}, mpki = {"MPKI", "mpki", 1000, 0};
	// The example on top of event_ratio.c.
	struct named_total forty = {40, 40000000}, eighty = {80, 80000000};
	struct ratio ratio = event_ratio_of(&cpi, forty, eighty);
	assert_true(ratio.is_known);
	assert_near(ratio.value, 0.5);
	assert_near(ratio.low, 0.34);
	assert_near(ratio.high, 0.73);
	// Misses are sampled more often than instructions: a sample weighs less.
	ratio = event_ratio_of(&mpki, (struct named_total){40, 4000}, eighty);
	assert_near(ratio.value, 0.05);
	assert_near(ratio.low, 0.034);
	assert_near(ratio.high, 0.073);
	struct named_total few = {EVENT_RATIO_MIN_SAMPLES - 1, 40000000};
	assert_false(event_ratio_of(&cpi, few, eighty).is_known);
	assert_false(event_ratio_of(&cpi, eighty, few).is_known);
	assert_false(event_ratio_of(&cpi, eighty, (struct named_total){80, 0}).is_known);
}

/** Of 100 recordings of the same program the truth is within the range in 95. */
static void test_chance_is_within_the_range(void **state)
{
	const struct event_ratio cpi = {"CPI", "cpi", 1, 0};
	enum { RUNS = 2000, TRIES = 1000 };
	uint32_t seed = 7;
	unsigned num_inside = 0;
	for (int run = 0; run < RUNS; run++) {
		struct named_total cycles = {0, 0}, instructions = {0, 0};
		for (int i = 0; i < TRIES; i++) {
			// 60 and 40 of 1,000: the truth is 1.5.
			uint32_t random = fixture_random(&seed, 1000);
			cycles.count += random < 60;
			instructions.count += random >= 60 && random < 100;
		}
		cycles.weight = cycles.count;
		instructions.weight = instructions.count;
		struct ratio ratio = event_ratio_of(&cpi, cycles, instructions);
		num_inside += ratio.is_known && ratio.low <= 1.5 && ratio.high >= 1.5;
	}
	assert_in_range(num_inside, RUNS * 93 / 100, RUNS * 97 / 100);
}

static void test_rows_are_matched_by_item(void **state)
{
	struct hot_entry cycles[] = {
		{7, {100, 300}, {400, 800}}, {3, {50, 50}, {50, 50}}, {5, {30, 30}, {30, 30}}};
	struct hot_entry instructions[] = {{3, {200, 200}, {200, 200}},
					   {7, {100, 100}, {400, 400}}};
	const struct hot_list list = {.entries = cycles, .num_entries = 3};
	const struct hot_list others = {.entries = instructions, .num_entries = 2};
	const struct event_ratio cpi = {"CPI", "cpi", 1, 0};
	_cleanup_(hot_ratios_deinit) struct hot_ratios self = {0}, total = {0}, none = {0};
	assert_no_error(hot_ratios_create(&cpi, &list, &others, HOT_BY_SELF, &self));
	assert_true(self.are_known);
	assert_near(self.values[0].value, 3);
	assert_near(self.values[1].value, 0.25);
	assert_false(self.values[2].is_known);
	assert_no_error(hot_ratios_create(&cpi, &list, &others, HOT_BY_TOTAL, &total));
	assert_near(total.values[0].value, 2);
	const struct hot_list empty = HOT_LIST_INIT;
	assert_no_error(hot_ratios_create(&cpi, &list, &empty, HOT_BY_SELF, &none));
	assert_false(none.are_known);
}

static void test_rows_by_their_ratios(void **state)
{
	struct hot_entry cycles[] = {
		{7, {900, 900}, {0}}, {3, {400, 400}, {0}}, {5, {90, 90}, {0}}, {4, {80, 80}, {0}}};
	struct hot_entry instructions[] = {
		{7, {900, 900}, {0}}, {3, {5, 5}, {0}}, {5, {30, 30}, {0}}, {4, {5, 5}, {0}}};
	struct hot_list list = {.entries = cycles, .num_entries = 4};
	const struct hot_list others = {.entries = instructions, .num_entries = 4};
	const struct event_ratio cpi = {"CPI", "cpi", 1, 0};
	_cleanup_(hot_ratios_deinit) struct hot_ratios ratios = {0};
	assert_no_error(hot_ratios_create(&cpi, &list, &others, HOT_BY_SELF, &ratios));
	assert_no_error(hot_ratios_sort(&ratios, &list));
	// 3.00, 1.00, and two of too few instructions in the order that they had.
	const uint32_t wanted[] = {5, 7, 3, 4};
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(list.entries[i].item, wanted[i]);
	assert_near(ratios.values[0].value, 3);
	assert_near(ratios.values[1].value, 1);
	assert_false(ratios.values[2].is_known);
}

int event_ratio_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_of_perf_and_of_arm),
		cmocka_unit_test(test_a_ratio_is_of_weights_and_its_range_of_counts),
		cmocka_unit_test(test_chance_is_within_the_range),
		cmocka_unit_test(test_rows_are_matched_by_item),
		cmocka_unit_test(test_rows_by_their_ratios),
	};
	return cmocka_run_group_tests_name("event_ratio", tests, NULL, NULL);
}
