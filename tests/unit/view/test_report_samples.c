// SPDX-License-Identifier: Apache-2.0
#include "view/page/report_samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/container/array.h"
#include "tests/unit/assert_error.h"

static struct report_samples samples_of(struct named_sample *items, size_t count, uint64_t start_ns,
					uint64_t duration_ns)
{
	const struct named_profile profile = {.samples = items,
					      .num_samples = count,
					      .start_time_ns = start_ns,
					      .duration_ns = duration_ns};
	struct report_samples samples = REPORT_SAMPLES_INIT;
	assert_no_error(report_samples_init(&samples, &profile, 0));
	return samples;
}

static void test_same_ones_are_summed(void **state)
{
	struct named_sample items[] = {
		{.time_ns = 1000000, .weight = 3, .count = 1, .stack = 7},
		{.time_ns = 1000001, .weight = 4, .count = 2, .stack = 7},
		{.time_ns = 1000001, .weight = 1, .count = 1, .stack = 6},
		{.time_ns = 1000001, .weight = 1, .count = 1, .stack = 7, .thread = 1},
		{.time_ns = 1900000, .weight = 1, .count = 1, .stack = 7},
	};
	_cleanup_(report_samples_deinit) struct report_samples samples =
		samples_of(items, ARRAY_SIZE(items), 1000000, 1000000);
	assert_int_equal(samples.num_items, 4);
	assert_int_equal(samples.items[0].stack, 6);
	assert_int_equal(samples.items[1].stack, 7);
	assert_int_equal(samples.items[1].weight, 7);
	assert_int_equal(samples.items[1].count, 3);
	assert_int_equal(samples.items[3].thread, 1);
	assert_int_equal(samples.items[2].slot, 900000 / samples.slot_ns);
}

static void test_states_of_the_gil_stay_apart(void **state)
{
	struct named_sample items[] = {
		{.weight = 1, .count = 1, .stack = 5, .gil = GIL_WAITED},
		{.weight = 2, .count = 1, .stack = 9, .gil = GIL_HELD},
		{.weight = 4, .count = 1, .stack = 5, .gil = GIL_HELD},
		{.weight = 8, .count = 1, .stack = 5, .gil = GIL_WAITED},
	};
	_cleanup_(report_samples_deinit) struct report_samples samples =
		samples_of(items, ARRAY_SIZE(items), 0, 0);
	assert_true(samples.knows_gil);
	assert_int_equal(samples.num_items, 3);
	// In the order of the states, then of the stacks.
	static const uint64_t weights[] = {4, 2, 9};
	static const enum gil_state states[] = {GIL_HELD, GIL_HELD, GIL_WAITED};
	for (size_t i = 0; i < ARRAY_SIZE(weights); i++) {
		assert_int_equal(samples.items[i].weight, weights[i]);
		assert_int_equal(samples.items[i].gil, states[i]);
	}
}

static void test_slots_cover_the_recording(void **state)
{
	struct named_sample items[] = {{.time_ns = 500}, {.time_ns = 100000}};
	_cleanup_(report_samples_deinit) struct report_samples samples =
		samples_of(items, ARRAY_SIZE(items), 1000, 50000);
	assert_int_equal(samples.begin_ns, 500);
	assert_true(samples.num_slots > samples.items[1].slot);
	assert_true(samples.num_slots <= REPORT_MAX_SLOTS);
}

static void test_no_times(void **state)
{
	struct named_sample items[] = {{.weight = 1}, {.weight = 2}};
	_cleanup_(report_samples_deinit) struct report_samples samples =
		samples_of(items, ARRAY_SIZE(items), 1000, 50000);
	assert_int_equal(samples.num_slots, 1);
	assert_int_equal(samples.num_items, 1);
	assert_int_equal(samples.items[0].weight, 3);
	assert_false(samples.knows_gil);
}

static void test_absurd_numbers(void **state)
{
	struct named_sample items[] = {
		{.time_ns = 0, .weight = UINT64_MAX, .count = 1},
		{.time_ns = 1, .weight = UINT64_MAX, .count = 1},
		{.time_ns = UINT64_MAX},
	};
	_cleanup_(report_samples_deinit) struct report_samples samples =
		samples_of(items, ARRAY_SIZE(items), 1, UINT64_MAX);
	assert_int_equal(samples.num_items, 2);
	assert_true(samples.items[0].weight == UINT64_MAX);
	assert_true(samples.num_slots <= REPORT_MAX_SLOTS);
	assert_int_equal(samples.items[1].slot, samples.num_slots - 1);
}

static void test_none(void **state)
{
	_cleanup_(report_samples_deinit) struct report_samples samples = samples_of(NULL, 0, 0, 0);
	assert_int_equal(samples.num_items, 0);
	assert_int_equal(samples.num_slots, 1);
}

int report_samples_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_ones_are_summed),
		cmocka_unit_test(test_states_of_the_gil_stay_apart),
		cmocka_unit_test(test_slots_cover_the_recording),
		cmocka_unit_test(test_no_times),
		cmocka_unit_test(test_absurd_numbers),
		cmocka_unit_test(test_none),
	};
	return cmocka_run_group_tests_name("report_samples", tests, NULL, NULL);
}
