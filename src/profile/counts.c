// SPDX-License-Identifier: Apache-2.0

#include "profile/counts.h"

#include <stdlib.h>
#include <string.h>

// Units (cores, or one whole program) times columns (events) in one array, unit after unit, so that
// a copy and a difference of two readings are one loop each.
//
// A kernel with more events than counters lets them take turns. Each count then comes with the time
// that its event was on a counter, and is scaled by it (count_scaled()), as in "perf stat";
// perf_event_open(2) calls these times time_enabled and time_running.

struct error *count_set_create(enum count_unit_kind unit_kind, size_t num_units, size_t num_columns,
			       struct count_set *ret)
{
	size_t num_counts;
	if (__builtin_mul_overflow(num_units, num_columns, &num_counts))
		return &error_no_memory;
	_cleanup_free_ uint32_t *units = calloc(num_units ? num_units : 1, sizeof(*units));
	_cleanup_free_ struct count *counts = calloc(num_counts ? num_counts : 1, sizeof(*counts));
	if (!units || !counts)
		return &error_no_memory;
	for (size_t i = 0; i < num_units; i++)
		units[i] = (uint32_t)i;
	*ret = (struct count_set){
		.unit_kind = unit_kind,
		.num_units = num_units,
		.num_columns = num_columns,
		.units = take_ptr(units),
		.counts = take_ptr(counts),
	};
	return NULL;
}

void count_set_deinit(struct count_set *set)
{
	free(set->units);
	free(set->counts);
	*set = (struct count_set)COUNT_SET_INIT;
}

struct error *count_set_renew(enum count_unit_kind unit_kind, size_t num_units, size_t num_columns,
			      struct count_set *set)
{
	if (!set->units || set->num_units != num_units || set->num_columns != num_columns) {
		count_set_deinit(set);
		return count_set_create(unit_kind, num_units, num_columns, set);
	}
	set->unit_kind = unit_kind;
	memset(set->counts, 0, num_units * num_columns * sizeof(*set->counts));
	for (size_t i = 0; i < num_units; i++)
		set->units[i] = (uint32_t)i;
	return NULL;
}

struct count *count_set_at(const struct count_set *set, size_t unit, size_t column)
{
	return &set->counts[unit * set->num_columns + column];
}

struct error *count_set_copy(const struct count_set *set, struct count_set *ret)
{
	struct error *err = count_set_create(set->unit_kind, set->num_units, set->num_columns, ret);
	if (err || !set->num_units)
		return err;
	memcpy(ret->units, set->units, set->num_units * sizeof(*set->units));
	memcpy(ret->counts, set->counts, set->num_units * set->num_columns * sizeof(*set->counts));
	return NULL;
}

void count_set_subtract(struct count_set *set, const struct count_set *before)
{
	if (set->num_units != before->num_units || set->num_columns != before->num_columns)
		return; // there was nothing before
	for (size_t i = 0; i < set->num_units * set->num_columns; i++) {
		set->counts[i].value -= before->counts[i].value;
		set->counts[i].scheduled -= before->counts[i].scheduled;
		set->counts[i].total -= before->counts[i].total;
	}
}

struct count count_set_sum(const struct count_set *set, size_t column)
{
	struct count sum = {0};
	for (size_t unit = 0; unit < set->num_units; unit++) {
		const struct count *count = count_set_at(set, unit, column);
		sum.value += count->value;
		sum.scheduled += count->scheduled;
		sum.total += count->total;
	}
	return sum;
}

uint64_t count_scaled(const struct count *count)
{
	if (!count->scheduled)
		return 0;
	// The product of a count and a time in nanoseconds does not fit 64 bits after some hours.
	unsigned __int128 scaled =
		(unsigned __int128)count->value * count->total / count->scheduled;
	return scaled > UINT64_MAX ? UINT64_MAX : (uint64_t)scaled;
}
