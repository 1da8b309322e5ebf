/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_SPE_SPE_SUMS_H
#define WPERF_PROFILE_SPE_SPE_SUMS_H

/**
 * Samples of Arm's SPE summed up: those that differ in nothing but their latencies, addresses and
 * times are one group. There are as many groups as kinds of things that happened at the places of
 * a profile, however many samples came.
 */

#include "base/container/hash_table.h"
#include "base/error.h"
#include "profile/log_histogram.h"
#include "profile/spe/spe_level.h"
#include "record/spe/spe_record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Those of enum spe_counter that hardware has. */
enum { SPE_NUM_LATENCIES = SPE_COUNTER_TRANSLATION + 1 };

/** Of samples with this latency, in cycles. */
struct spe_latency {
	uint64_t count, sum;
	uint32_t max;
	struct log_histogram histogram;
};

#define SPE_VALUE_ABSENT UINT64_MAX

struct spe_group {
	/* what its samples have in common */
	uint64_t events;      /* bits of enum spe_event */
	uint64_t data_source; /* payload, or SPE_VALUE_ABSENT */
	uint64_t operation;   /* the record's value: class and payload; or SPE_VALUE_ABSENT */
	uint32_t stack;       /* of the profile; its leaf is the instruction */
	uint32_t thread;      /* of the profile; UINT32_MAX: threads are not told apart */
	uint32_t event;       /* of the profile */
	uint32_t midr;        /* of the core; 0: not known */
	/* what follows from it */
	struct spe_origin origin;
	/* sums */
	uint64_t count;
	struct spe_latency latencies[SPE_NUM_LATENCIES]; /* by enum spe_counter */
};

struct spe_sums {
	struct spe_group *groups;
	size_t num_groups, cap_groups;
	struct hash_table index;
	uint64_t num_samples;
};

#define SPE_SUMS_INIT \
	{             \
	}

/** Where a sample was taken: see struct spe_group. */
struct spe_place {
	uint32_t stack, thread, event, midr;
};

struct error *spe_sums_add(struct spe_sums *sums, const struct spe_record *record,
			   const struct spe_place *place);

/** By which its group is found; hash_table_prefetch() it first, and then these, with time between.
 */
uint64_t spe_sums_hash(const struct spe_record *record, const struct spe_place *place);
void spe_sums_prefetch_group(const struct spe_sums *sums, uint64_t hash);
void spe_sums_prefetch_latencies(const struct spe_sums *sums, uint64_t hash,
				 const struct spe_record *record);
void spe_sums_deinit(struct spe_sums *sums);

struct error *spe_latency_add(struct spe_latency *latency, uint32_t cycles);
struct error *spe_latency_merge(struct spe_latency *latency, const struct spe_latency *other);
void spe_latency_deinit(struct spe_latency *latency);

/** As log_histogram_percentile(), but never more than was seen. */
static inline uint32_t spe_latency_percentile(const struct spe_latency *latency, double percent)
{
	uint32_t value = log_histogram_percentile(&latency->histogram, percent);
	return value < latency->max ? value : latency->max;
}

/** 0 of nothing. */
static inline double spe_latency_mean(const struct spe_latency *latency)
{
	return latency->count ? (double)latency->sum / (double)latency->count : 0;
}

/** The class of the operation, and its payload; 0 of what is absent. */
static inline unsigned spe_group_class(const struct spe_group *group)
{
	return group->operation == SPE_VALUE_ABSENT ? 0 : group->operation & SPE_RECORD_CLASS_MASK;
}

static inline uint8_t spe_group_operation(const struct spe_group *group)
{
	return group->operation == SPE_VALUE_ABSENT
		       ? 0
		       : (uint8_t)(group->operation >> SPE_RECORD_OPERATION_SHIFT);
}

/** See spe_source_name.h. */
uint32_t spe_group_name_key(const struct spe_group *group);

static inline bool spe_group_has_event(const struct spe_group *group, unsigned event)
{
	return group->events >> event & 1;
}

#endif
