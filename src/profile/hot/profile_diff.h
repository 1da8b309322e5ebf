/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_HOT_PROFILE_DIFF_H
#define WPERF_PROFILE_HOT_PROFILE_DIFF_H

/**
 * What became hotter and what cooler from one profile to another: their hot lists joined by name
 * and module, in percent of each, so that runs of different lengths can be compared.
 */

#include "base/container/string_table.h"
#include "base/error.h"
#include "profile/hot/hot_list.h"
#include "profile/hot/share.h"

#include <stdbool.h>
#include <stddef.h>

struct profile_diff_side {
	const struct named_profile *profile;
	const struct hot_list *list;
	bool is_measured; /* all of it, not samples: named_event.is_whole */
	bool is_bytes;    /* amounts of memory */
};

struct profile_diff_share {
	struct named_total self;
	double self_percent, total_percent; /* 0 where it is not in the profile */
};

struct profile_diff_row {
	const char *name, *module; /* belong to the diff; module is "" where there is none */
	struct profile_diff_share before, after;
};

struct profile_diff {
	enum hot_key key;
	/** The greatest change of self first: in points, or if all are amounts of memory in bytes,
	 *  as all lines may grow alike. */
	struct profile_diff_row *rows;
	size_t num_rows, cap_rows;
	struct {
		struct named_total whole;
		bool is_measured;
	} before, after;
	bool is_bytes;             /* both sides are */
	struct string_table names; /* private */
};

#define PROFILE_DIFF_INIT \
	{                 \
	}

/** Both lists must be by the same key. @ret: set only on success. */
struct error *profile_diff_create(const struct profile_diff_side *before,
				  const struct profile_diff_side *after, struct profile_diff *ret);
void profile_diff_deinit(struct profile_diff *diff);

/** Leave out rows whose changes are both smaller, in percentage points. */
void profile_diff_limit(struct profile_diff *diff, double min_change);

/** After minus before, in percentage points. */
double profile_diff_self_change(const struct profile_diff_row *row);
double profile_diff_total_change(const struct profile_diff_row *row);

/** After minus before, in the event's unit. */
double profile_diff_self_growth(const struct profile_diff_row *row);

/** The change of self, and how far chance may have moved it. */
struct share_change profile_diff_self_range(const struct profile_diff *diff,
					    const struct profile_diff_row *row);

#endif
