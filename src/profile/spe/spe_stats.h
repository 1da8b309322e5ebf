/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_SPE_SPE_STATS_H
#define WPERF_PROFILE_SPE_SPE_STATS_H

/** What some groups of SPE samples, taken together, have to say. */

#include "profile/spe/spe_sums.h"
#include "record/spe/spe_event.h"

/** What kind of operation, as people would ask for it. */
enum spe_stats_class {
	SPE_STATS_LOADS,
	SPE_STATS_STORES,
	SPE_STATS_ATOMICS, /* they load and store */
	SPE_STATS_BRANCHES,
	SPE_STATS_OTHERS,
	SPE_STATS_NUM_CLASSES,
};

/** Of what can happen or not: how often it could have, and did. */
enum spe_stats_rate {
	SPE_RATE_L1D_MISS,     /* of accesses to the level 1 data cache: a refill */
	SPE_RATE_L2D_MISS,     /* of those to level 2 */
	SPE_RATE_LLC_MISS,     /* of those to the last level */
	SPE_RATE_TLB_WALK,     /* of accesses to the TLB: a walk through tables */
	SPE_RATE_MISALIGNED,   /* of loads, stores and atomics */
	SPE_RATE_REMOTE,       /* likewise: access to another socket */
	SPE_RATE_MISPREDICTED, /* of branches */
	SPE_RATE_NOT_TAKEN,    /* of branches with a condition */
	SPE_RATE_SPECULATIVE,  /* of all: did not retire */
	SPE_STATS_NUM_RATES,
};

struct spe_rate {
	uint64_t of, count;
};

struct spe_stats {
	uint64_t count;
	struct spe_latency latencies[SPE_NUM_LATENCIES];
	uint64_t classes[SPE_STATS_NUM_CLASSES];
	uint64_t levels[SPE_NUM_LEVELS]; /* of enum spe_level */
	uint64_t num_by_events;          /* of those with a level: it was found by events */
	struct spe_rate rates[SPE_STATS_NUM_RATES];
};

#define SPE_STATS_INIT \
	{              \
	}

struct error *spe_stats_add(struct spe_stats *stats, const struct spe_group *group);
struct error *spe_stats_merge(struct spe_stats *stats, const struct spe_stats *other);
void spe_stats_deinit(struct spe_stats *stats);

enum spe_stats_class spe_stats_class_of(const struct spe_group *group);

/** `loads`, `stores` ...; what the class's samples are. */
const char *spe_stats_class_name(enum spe_stats_class class);

/** `L1 data cache miss`; for programs `l1d_miss`. */
const char *spe_stats_rate_name(enum spe_stats_rate rate);
const char *spe_stats_rate_key(enum spe_stats_rate rate);

/** Samples whose data had a place to come from: all levels but SPE_LEVEL_NONE. */
uint64_t spe_stats_num_loaded(const struct spe_stats *stats);

/** 0 of nothing. */
static inline double spe_rate_percent(struct spe_rate rate)
{
	return rate.of ? 100.0 * (double)rate.count / (double)rate.of : 0;
}

#endif
