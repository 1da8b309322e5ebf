// SPDX-License-Identifier: Apache-2.0

#include "profile/hot/share.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/container/array.h"

// Bounds from R's binom.wilson() and, where k = 0, n / (n + z * z) worked out by hand.
static void test_bounds_of_wilson(void **state)
{
	static const struct {
		uint64_t part, whole;
		double percent, low, high;
	} cases[] = {
		{50, 100, 50, 40.383, 59.617},  {1, 10, 10, 1.788, 40.415},
		{0, 10, 0, 0, 27.753},          {10, 10, 100, 72.247, 100},
		{5, 1000, 0.5, 0.2138, 1.1650},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct named_total part = {cases[i].part, 1000 * cases[i].part};
		struct share share =
			share_of(part, (struct named_total){cases[i].whole, 1000 * cases[i].whole});
		assert_float_equal(share.percent, cases[i].percent, 1e-9);
		assert_float_equal(share.low, cases[i].low, 1e-3);
		assert_float_equal(share.high, cases[i].high, 1e-3);
	}
}

static void test_the_share_is_by_weight_and_within(void **state)
{
	struct named_total whole = {3, 1000};
	struct share share = share_of((struct named_total){1, 900}, whole);
	assert_float_equal(share.percent, 90, 1e-9);
	assert_true(share.low < 90 && share.high > 90 && share.high <= 100);
	assert_float_equal(share_of(whole, whole).high, 100, 0);
	assert_float_equal(share_of((struct named_total){0}, whole).low, 0, 0);
}

static void test_nothing_may_be_anything(void **state)
{
	struct share share = share_of((struct named_total){0}, (struct named_total){0});
	assert_float_equal(share.low, 0, 0);
	assert_float_equal(share.high, 100, 0);
}

int share_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bounds_of_wilson),
		cmocka_unit_test(test_the_share_is_by_weight_and_within),
		cmocka_unit_test(test_nothing_may_be_anything),
	};
	return cmocka_run_group_tests_name("share", tests, NULL, NULL);
}
