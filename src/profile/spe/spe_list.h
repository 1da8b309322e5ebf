/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_SPE_SPE_LIST_H
#define WPERF_PROFILE_SPE_SPE_LIST_H

/** SPE's samples by function, by line, by where their data came from ...: a row for each. */

#include "profile/hot/hot_key.h"
#include "profile/profile_filter.h"
#include "profile/spe/spe_stats.h"

/** By what: a place, which is an enum hot_key, or one of these. */
enum spe_by {
	SPE_BY_ALL = HOT_NUM_KEYS, /* one row */
	SPE_BY_ORIGIN,             /* where the data came from; only of samples that say it */
	SPE_BY_OPERATION,
};

/** What puts a row above others. */
enum spe_order {
	SPE_ORDER_COUNT,
	SPE_ORDER_LATENCY,  /* cycles in all */
	SPE_ORDER_BEYOND,   /* loads that no level 1 cache had */
	SPE_ORDER_MISSES,   /* refills of level 1, and TLB walks */
	SPE_ORDER_BRANCHES, /* mispredicted ones */
	SPE_NUM_ORDERS,
};

struct spe_row {
	/** Of a place as in struct hot_entry; NAMED_NONE: no stack, and of rows that are no place.
	 */
	uint32_t item;
	uint32_t group; /* one of the row's groups */
	struct spe_stats stats;
};

struct spe_list {
	unsigned by;          /* enum hot_key or spe_by */
	struct spe_row *rows; /* as ordered, and where that is the same, by count */
	size_t num_rows, cap_rows;
	struct spe_stats whole; /* of all rows */
};

#define SPE_LIST_INIT \
	{             \
	}

/**
 * @profile: with SPE. @by: not a key of samples or of interpreted code. @filter: NULL for all
 * samples; if it asks for threads, the sums must tell them apart. @ret: set only on success.
 */
struct error *spe_list_create(const struct named_profile *profile, unsigned by,
			      enum spe_order order, const struct profile_filter *filter,
			      struct spe_list *ret);
void spe_list_deinit(struct spe_list *list);

/** What the order goes by: of a row that has 0, it knows nothing. */
uint64_t spe_order_weight(enum spe_order order, const struct spe_stats *stats);

/** Does the filter take what happened there? */
bool spe_filter_takes(const struct profile_filter *filter, uint32_t stack, uint32_t thread,
		      uint32_t event);

#endif
