// SPDX-License-Identifier: Apache-2.0

#include "base/container/array.h"
#include "fleet/store/store_ops.h"
#include "server/page/page_range.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define DAY    (UINT64_C(20000) * STORE_DAY_NS)
#define MINUTE (60 * (uint64_t)STORE_SECOND_NS)

static struct page_map_range map(uint64_t from, uint64_t until, size_t num_hosts)
{
	const struct page_range shown = {from, until}, data = {DAY, DAY + 10 * STORE_DAY_NS};
	struct page_map_range found = page_map_range(shown, data, num_hosts);
	assert_true(found.range.from_ns <= from && found.range.until_ns >= until);
	assert_int_equal(found.range.from_ns % found.step_ns, 0);
	assert_int_equal(found.range.until_ns % found.step_ns, 0);
	assert_true(found.range.until_ns > found.range.from_ns);
	return found;
}

static void test_the_map_has_some_time_around(void **state)
{
	struct page_map_range found = map(DAY + 30 * STORE_HOUR_NS, DAY + 31 * STORE_HOUR_NS, 1);
	assert_int_equal(found.step_ns, MINUTE);
	assert_int_equal(found.range.from_ns, DAY + 55 * STORE_HOUR_NS / 2);
	assert_int_equal(found.range.until_ns, DAY + 67 * STORE_HOUR_NS / 2);
	// It begins and ends where the data do.
	found = map(DAY, DAY + STORE_HOUR_NS, 1);
	assert_int_equal(found.range.from_ns, DAY);
	found = map(DAY + 239 * STORE_HOUR_NS, DAY + 240 * STORE_HOUR_NS, 1);
	assert_int_equal(found.range.until_ns, DAY + 240 * STORE_HOUR_NS);
	assert_int_equal(found.range.from_ns, DAY + 234 * STORE_HOUR_NS);
}

static void test_long_maps_have_whole_days(void **state)
{
	struct page_map_range found = map(DAY + 30 * STORE_HOUR_NS, DAY + 50 * STORE_HOUR_NS, 1);
	assert_int_equal(found.step_ns, STORE_HOUR_NS);
	assert_int_equal(found.range.from_ns % STORE_DAY_NS, 0);
	assert_int_equal(found.range.until_ns % STORE_DAY_NS, 0);
	found = map(DAY, DAY + 365 * STORE_DAY_NS, 1);
	assert_true((found.range.until_ns - found.range.from_ns) / found.step_ns <= 400);
}

static void test_many_hosts_have_coarser_steps(void **state)
{
	assert_int_equal(map(DAY, DAY + 6 * STORE_HOUR_NS, 10).step_ns, 5 * MINUTE);
	assert_int_equal(map(DAY, DAY + 6 * STORE_HOUR_NS, 1000).step_ns, STORE_HOUR_NS);
	const struct page_range hour = {DAY, DAY + STORE_HOUR_NS};
	const struct page_range day = {DAY, DAY + STORE_DAY_NS};
	assert_int_equal(page_report_step(hour, 1), MINUTE);
	assert_int_equal(page_report_step(hour, 1000), 5 * MINUTE);
	assert_int_equal(page_report_step(day, 1) % STORE_HOUR_NS, 0);
	assert_int_equal(page_report_step(day, 1000), 2 * STORE_HOUR_NS);
}

static void test_rows_of_hosts_have_few_steps(void **state)
{
	const uint64_t lengths[] = {STORE_HOUR_NS / 4, STORE_HOUR_NS,     6 * STORE_HOUR_NS,
				    STORE_DAY_NS,      7 * STORE_DAY_NS,  30 * STORE_DAY_NS,
				    90 * STORE_DAY_NS, 900 * STORE_DAY_NS};
	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		struct page_map_range whole = map(DAY, DAY + lengths[i], 1);
		struct page_map_range found = page_host_range(whole);
		assert_true((found.range.until_ns - found.range.from_ns) / found.step_ns <= 121);
		assert_int_equal(found.step_ns % whole.step_ns, 0);
		// As stores sum up: steps since 1970.
		assert_int_equal(found.range.from_ns % found.step_ns, 0);
		assert_true(found.range.from_ns <= whole.range.from_ns &&
			    found.range.until_ns >= whole.range.until_ns);
	}
}

static void test_any_range_has_a_map(void **state)
{
	map(0, 1, 1);
	map(0, STORE_MAX_NS, 1000);
	map(STORE_MAX_NS - 1, STORE_MAX_NS, 1);
	const struct page_range shown = {5, 6}, none = {UINT64_MAX, 0};
	struct page_map_range found = page_map_range(shown, none, 0);
	assert_true(found.range.from_ns <= 5 && found.range.until_ns >= 6);
	const struct page_range all = {0, STORE_MAX_NS};
	assert_true(page_report_step(all, 0) > 0 && page_report_step(shown, 0) > 0);
}

int page_range_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_map_has_some_time_around),
		cmocka_unit_test(test_long_maps_have_whole_days),
		cmocka_unit_test(test_many_hosts_have_coarser_steps),
		cmocka_unit_test(test_rows_of_hosts_have_few_steps),
		cmocka_unit_test(test_any_range_has_a_map),
	};
	return cmocka_run_group_tests_name("page_range", tests, NULL, NULL);
}
