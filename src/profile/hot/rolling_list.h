/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_HOT_ROLLING_LIST_H
#define WPERF_PROFILE_HOT_ROLLING_LIST_H

/**
 * The hot functions, or lines, of a recording that goes on: each interval's are added to what is
 * left of those before. Functions and frames keep their numbers from interval to interval.
 */

#include "base/error.h"
#include "profile/hot/hot_list.h"

#include <stddef.h>

struct rolling_total {
	double count, weight;
};

struct rolling_entry {
	struct rolling_total self, total;
};

struct rolling_list {
	enum hot_key key;              /* of the intervals */
	struct rolling_entry *entries; /* by number of the item */
	size_t num_entries, cap_entries;
	struct rolling_entry none; /* of samples without a stack */
	struct rolling_total whole;
};

#define ROLLING_LIST_INIT \
	{                 \
	}

/** @interval: always of the same key, whose items are functions or frames. @keep: how much of what
 * was before still counts, 0 to 1. */
struct error *rolling_list_add(struct rolling_list *rolling, const struct hot_list *interval,
			       double keep);

/** Is the item to be shown? */
typedef bool (*rolling_list_wants_fn)(const void *context, uint32_t item);

/**
 * As a hot list by self, with rounded sums. @wants: NULL for all. Percentages stay those of all.
 * @ret: set only on success.
 */
struct error *rolling_list_show(const struct rolling_list *rolling, rolling_list_wants_fn wants,
				const void *context, struct hot_list *ret);

/** Forget everything. */
void rolling_list_clear(struct rolling_list *rolling);
void rolling_list_deinit(struct rolling_list *rolling);

#endif
