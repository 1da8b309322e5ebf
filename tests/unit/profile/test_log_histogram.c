// SPDX-License-Identifier: Apache-2.0

#include "profile/log_histogram.h"

#include "base/cleanup.h"
#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/profile_fixture.h"

static int compare(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;
	return (*a > *b) - (*a < *b);
}

/** Of all sizes alike. */
static uint32_t random_value(uint32_t *seed)
{
	uint32_t bits = fixture_random(seed, 33);
	uint64_t value = (uint64_t)fixture_random(seed, 65536) << 16 | fixture_random(seed, 65536);
	return (uint32_t)(value & ((UINT64_C(1) << bits) - 1));
}

static void test_percentiles_are_near_those_of_the_sorted_values(void **state)
{
	enum { NUM = 5000 };
	static uint32_t values[NUM];
	uint32_t seed = 3;
	_cleanup_(log_histogram_deinit) struct log_histogram histogram = LOG_HISTOGRAM_INIT;
	for (size_t i = 0; i < NUM; i++) {
		values[i] = random_value(&seed);
		assert_no_error(log_histogram_add(&histogram, values[i]));
	}
	qsort(values, NUM, sizeof(*values), compare);
	assert_int_equal(log_histogram_count(&histogram), NUM);
	for (unsigned percent = 0; percent <= 100; percent++) {
		size_t rank = (NUM * percent + 99) / 100;
		double exact = values[rank ? rank - 1 : 0];
		double found = log_histogram_percentile(&histogram, percent);
		double error = found > exact ? found - exact : exact - found;
		assert_true(error <= exact * LOG_HISTOGRAM_ERROR);
		if (exact < 32)
			assert_true(error == 0);
	}
	for (unsigned i = 0; i < 32; i++) {
		uint64_t low = UINT64_C(1) << i, end = low * 2, count = 0;
		for (size_t k = 0; k < NUM; k++)
			count += values[k] >= low && values[k] < end;
		assert_int_equal(log_histogram_between(&histogram, low, end), count);
	}
}

static void test_merging_is_adding_all(void **state)
{
	uint32_t seed = 9;
	_cleanup_(log_histogram_deinit) struct log_histogram whole = LOG_HISTOGRAM_INIT;
	_cleanup_(log_histogram_deinit) struct log_histogram sum = LOG_HISTOGRAM_INIT;
	for (size_t i = 0; i < 50; i++) {
		_cleanup_(log_histogram_deinit) struct log_histogram part = LOG_HISTOGRAM_INIT;
		for (size_t k = 0; k < i % 7; k++) {
			uint32_t value = random_value(&seed);
			assert_no_error(log_histogram_add(&part, value));
			assert_no_error(log_histogram_add(&whole, value));
		}
		assert_no_error(log_histogram_merge(&sum, &part));
	}
	for (unsigned i = 0; i < 32; i++)
		assert_int_equal(log_histogram_between(&sum, UINT64_C(1) << i, UINT64_C(2) << i),
				 log_histogram_between(&whole, UINT64_C(1) << i, UINT64_C(2) << i));
	assert_int_equal(log_histogram_count(&sum), log_histogram_count(&whole));
	for (unsigned i = 0; i <= 100; i++)
		assert_int_equal(log_histogram_percentile(&sum, i),
				 log_histogram_percentile(&whole, i));
}

static void test_an_empty_one_says_nothing(void **state)
{
	_cleanup_(log_histogram_deinit) struct log_histogram histogram = LOG_HISTOGRAM_INIT;
	assert_int_equal(log_histogram_count(&histogram), 0);
	assert_int_equal(log_histogram_percentile(&histogram, 50), 0);
	assert_no_error(log_histogram_add(&histogram, UINT32_MAX));
	assert_no_error(log_histogram_add(&histogram, 0));
	assert_int_equal(log_histogram_percentile(&histogram, 50), 0);
	assert_true(log_histogram_percentile(&histogram, 100) > UINT32_MAX / 32 * 31);
}

int log_histogram_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_percentiles_are_near_those_of_the_sorted_values),
		cmocka_unit_test(test_merging_is_adding_all),
		cmocka_unit_test(test_an_empty_one_says_nothing),
	};
	return cmocka_run_group_tests_name("log_histogram", tests, NULL, NULL);
}
