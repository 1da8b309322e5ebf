// SPDX-License-Identifier: Apache-2.0

#include "profile/hot/share.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/container/array.h"

#include <math.h>

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

// The six contrasts of table II of Newcombe 1998, method 10.
static void test_bounds_of_newcombe(void **state)
{
	static const struct {
		uint64_t before, whole_before, after, whole_after;
		double low, high;
	} cases[] = {
		{48, 80, 56, 70, 5.24, 33.39}, {3, 10, 9, 10, 17.05, 80.90},
		{2, 7, 6, 7, 5.82, 80.62},     {0, 29, 5, 56, -3.81, 19.26},
		{0, 20, 0, 10, -16.11, 27.75}, {0, 10, 10, 10, 60.75, 100.00},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct named_total before = {cases[i].before, cases[i].before};
		struct named_total after = {cases[i].after, cases[i].after};
		struct named_total whole_before = {cases[i].whole_before, cases[i].whole_before};
		struct named_total whole_after = {cases[i].whole_after, cases[i].whole_after};
		struct share_change change = share_change_of(share_of(before, whole_before),
							     share_of(after, whole_after));
		assert_float_equal(change.low, cases[i].low, 6e-3);
		assert_float_equal(change.high, cases[i].high, 6e-3);
	}
}

enum { MAX_TRIALS = 400 };

/** Probabilities of each number of successes. */
static void fill_binomial(double p, unsigned trials, double probabilities[MAX_TRIALS + 1])
{
	for (unsigned k = 0; k <= trials; k++)
		probabilities[k] =
			exp(lgamma(trials + 1.0) - lgamma(k + 1.0) - lgamma(trials - k + 1.0) +
			    k * log(p) + (trials - k) * log(1 - p));
}

struct coverage {
	double above, below; /* how likely the truth is above, and below, the interval */
};

/** Of two recordings, over all that can come out of them. */
static struct coverage coverage_of(double p, unsigned n, double q, unsigned m)
{
	static double before[MAX_TRIALS + 1], after[MAX_TRIALS + 1];
	struct coverage coverage = {0};
	fill_binomial(p, n, before);
	fill_binomial(q, m, after);
	for (unsigned i = 0; i <= n; i++) {
		struct share first =
			share_of((struct named_total){i, i}, (struct named_total){n, n});
		for (unsigned j = 0; j <= m; j++) {
			struct share second =
				share_of((struct named_total){j, j}, (struct named_total){m, m});
			struct share_change change = share_change_of(first, second);
			if (100 * (q - p) > change.high + 1e-9)
				coverage.above += before[i] * after[j];
			if (100 * (q - p) < change.low - 1e-9)
				coverage.below += before[i] * after[j];
		}
	}
	return coverage;
}

static void test_95_of_100_changes_are_within(void **state)
{
	static const double shares[] = {0.005, 0.02, 0.1, 0.2, 0.5, 0.8, 0.97};
	static const unsigned sizes[][2] = {{30, 40}, {100, 100}, {60, 400}, {400, 300}};
	double sum = 0;
	size_t count = 0;
	for (size_t i = 0; i < ARRAY_SIZE(shares); i++) {
		for (size_t j = 0; j < ARRAY_SIZE(shares); j++) {
			for (size_t k = 0; k < ARRAY_SIZE(sizes); k++) {
				struct coverage coverage =
					coverage_of(shares[i], sizes[k][0], shares[j], sizes[k][1]);
				double inside = 1 - coverage.above - coverage.below;
				// The worst is a fall from 97 to 2 % of 30 samples.
				assert_true(inside > 0.905);
				// Growth that is taken for more than it is: 2.5 % by its name.
				assert_true(shares[i] > shares[j] || coverage.below < 0.04);
				sum += inside;
				count++;
			}
		}
	}
	assert_true(sum / (double)count > 0.945 && sum / (double)count < 0.97);
}

int share_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bounds_of_wilson),
		cmocka_unit_test(test_the_share_is_by_weight_and_within),
		cmocka_unit_test(test_nothing_may_be_anything),
		cmocka_unit_test(test_bounds_of_newcombe),
		cmocka_unit_test(test_95_of_100_changes_are_within),
	};
	return cmocka_run_group_tests_name("share", tests, NULL, NULL);
}
