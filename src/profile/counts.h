/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_COUNTS_H
#define WPERF_PROFILE_COUNTS_H

/**
 * Numbers that were counted, without names: for each unit (a core, a cluster, a memory channel, a
 * process) the same row of columns. What a column stands for is known to those who asked for it.
 */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct count {
	uint64_t value;     /* as counted */
	uint64_t scheduled; /* how long the event was on a counter: rounds, or nanoseconds ... */
	uint64_t total;     /* ... of how many that the counting took */
};

/** One unit's number in the output, and what kind of thing it is. */
enum count_unit_kind {
	COUNT_UNIT_CORE,
	COUNT_UNIT_CLUSTER,
	COUNT_UNIT_CHANNEL,
	COUNT_UNIT_PROCESS, /* with its threads, and children if they were asked for */
	COUNT_UNIT_THREAD,
	COUNT_UNIT_CORE_GROUP, /* CPUs of a core, die, socket, ..., added up */
	COUNT_UNIT_CGROUP,     /* what a control group ran */
};

struct count_set {
	enum count_unit_kind unit_kind;
	size_t num_units, num_columns;
	uint32_t *units;      /* core number, cluster, channel, process or thread id */
	struct count *counts; /* [unit * num_columns + column] */
};

#define COUNT_SET_INIT \
	{              \
	}

/** All zero. Units are numbered 0, 1, ... until somebody says otherwise. */
struct error *count_set_create(enum count_unit_kind unit_kind, size_t num_units, size_t num_columns,
			       struct count_set *ret);
void count_set_deinit(struct count_set *set);

/** The same, in the memory of @set if it has that size. @set: an earlier result, or empty. */
struct error *count_set_renew(enum count_unit_kind unit_kind, size_t num_units, size_t num_columns,
			      struct count_set *set);

struct count *count_set_at(const struct count_set *set, size_t unit, size_t column);

/** @ret: of its own, ended by count_set_deinit(). */
struct error *count_set_copy(const struct count_set *set, struct count_set *ret);

/** Keep only what came since @before, a set of the same units and columns. */
void count_set_subtract(struct count_set *set, const struct count_set *before);

/** The sum over all units. */
struct count count_set_sum(const struct count_set *set, size_t column);

/** Was the event on a counter at all? Then its value means something. */
static inline bool count_is_measured(const struct count *count)
{
	return count->scheduled > 0;
}

/** Was it there all the time? */
static inline bool count_is_whole(const struct count *count)
{
	return count->scheduled == count->total;
}

/** The value that the whole time would have given: value * total / scheduled, in 128 bits; 0 if
 *  it was never on a counter; UINT64_MAX if it does not fit. */
uint64_t count_scaled(const struct count *count);

#endif
