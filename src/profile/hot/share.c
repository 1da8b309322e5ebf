// SPDX-License-Identifier: Apache-2.0

#include "profile/hot/share.h"

#include <math.h>

// Wilson's score interval (Wilson 1927) for a binomial proportion with as many trials as there are
// samples. Unlike the usual normal approximation it is right for shares near 0 and few samples.
//
// With p as the share, n as the number of samples and z as the deviations:
//
//	middle = (p + z^2 / 2n) / (1 + z^2 / n)
//	reach  = z * sqrt(p (1 - p) / n + z^2 / 4n^2) / (1 + z^2 / n)
//
// The change from one share to another has Newcombe's hybrid score interval (Newcombe 1998,
// "Interval estimation for the difference between independent proportions", method 10), which is
// made of the bounds of both shares: as far as each of them may be off in the direction that
// matters, added like sides of a right triangle. It keeps 95 % also near 0, where the usual one of
// two standard errors does not.
//
//	change = after - before
//	low    = change - sqrt((after - after.low)^2 + (before.high - before)^2)
//	high   = change + sqrt((after.high - after)^2 + (before - before.low)^2)

// 95 % of a normal distribution are so many deviations around its middle.
static const double deviations = 1.959963984540054;

static double share_within(double value, double low, double high)
{
	return value < low ? low : value > high ? high : value;
}

struct share share_of(struct named_total part, struct named_total whole)
{
	if (!whole.count || !whole.weight)
		return (struct share){0, 0, 100};
	double percent = named_total_percent(part, whole);
	double p = percent / 100, n = (double)whole.count, squared = deviations * deviations;
	double middle = (p + squared / (2 * n)) / (1 + squared / n);
	double reach =
		deviations * sqrt(p * (1 - p) / n + squared / (4 * n * n)) / (1 + squared / n);
	// Rounding must not put the share itself, at 0 or 1, outside.
	return (struct share){percent, share_within(100 * (middle - reach), 0, percent),
			      share_within(100 * (middle + reach), percent, 100)};
}

struct share share_measured(struct named_total part, struct named_total whole)
{
	double percent = named_total_percent(part, whole);
	return (struct share){percent, percent, percent};
}

struct share_change share_change_of(struct share before, struct share after)
{
	double points = after.percent - before.percent;
	return (struct share_change){
		.points = points,
		.low = points - hypot(after.percent - after.low, before.high - before.percent),
		.high = points + hypot(after.high - after.percent, before.percent - before.low),
	};
}
