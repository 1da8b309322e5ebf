// SPDX-License-Identifier: Apache-2.0

#include "profile/spe/spe_stats.h"

#include "base/container/array.h"
#include "record/spe/spe_core.h"
#include "record/spe/spe_operation.h"

// What can happen to an operation, as a table: a rate has the classes of operations that it applies
// to, the event bits that say that it could have happened, and those that say that it did. So a
// miss rate counts only operations that accessed the cache. Event bits are those of SPE's events
// packet (Arm ARM, "Statistical Profiling Extension sample record format").
//
// Of 100 operations, 80 have L1D_ACCESS or L1D_REFILL, and 8 have L1D_REFILL:
//
//	L1 data cache miss  of 80, count 8: 10 %

#define EVENT(name) (UINT64_C(1) << SPE_EVENT_##name)

enum {
	ON_MEMORY = 1 << SPE_STATS_LOADS | 1 << SPE_STATS_STORES | 1 << SPE_STATS_ATOMICS,
	ON_ALL = (1 << SPE_STATS_NUM_CLASSES) - 1,
};

// It could have happened where the class fits, and one of the events of `of` is there, if there are
// any; it did where one of `happened` is there, or, if that is negated, is not.
static const struct {
	const char *name, *key;
	unsigned classes;
	uint64_t of, happened;
	bool is_negated, needs_condition;
	bool is_of_arm; // other processors do not tell, or record only taken branches
} rates[SPE_STATS_NUM_RATES] = {
	[SPE_RATE_L1D_MISS] = {"L1 data cache miss", "l1d_miss", ON_ALL,
			       EVENT(L1D_ACCESS) | EVENT(L1D_REFILL),
			       .happened = EVENT(L1D_REFILL)},
	[SPE_RATE_L2D_MISS] = {"L2 data cache miss", "l2d_miss", ON_ALL,
			       EVENT(L2D_ACCESS) | EVENT(L2D_MISS), .happened = EVENT(L2D_MISS)},
	[SPE_RATE_LLC_MISS] = {"last level cache miss", "llc_miss", ON_ALL,
			       EVENT(LLC_ACCESS) | EVENT(LLC_MISS), .happened = EVENT(LLC_MISS)},
	[SPE_RATE_TLB_WALK] = {"TLB walk", "tlb_walk", ON_ALL, EVENT(TLB_ACCESS) | EVENT(TLB_WALK),
			       .happened = EVENT(TLB_WALK)},
	[SPE_RATE_MISALIGNED] = {"misaligned", "misaligned", ON_MEMORY, 0,
				 .happened = EVENT(MISALIGNED), .is_of_arm = true},
	[SPE_RATE_REMOTE] = {"access to another socket", "remote_access", ON_MEMORY, 0,
			     .happened = EVENT(REMOTE_ACCESS)},
	[SPE_RATE_MISPREDICTED] = {"branch mispredicted", "mispredicted", 1 << SPE_STATS_BRANCHES,
				   0, .happened = EVENT(MISPREDICTED)},
	[SPE_RATE_NOT_TAKEN] = {"branch not taken", "not_taken", 1 << SPE_STATS_BRANCHES, 0,
				EVENT(NOT_TAKEN), .needs_condition = true, .is_of_arm = true},
	[SPE_RATE_SPECULATIVE] = {"did not retire", "not_retired", ON_ALL, 0, EVENT(RETIRED),
				  .is_negated = true, .is_of_arm = true},
};

static const char *const class_names[SPE_STATS_NUM_CLASSES] = {
	[SPE_STATS_LOADS] = "loads",     [SPE_STATS_STORES] = "stores",
	[SPE_STATS_ATOMICS] = "atomics", [SPE_STATS_BRANCHES] = "branches",
	[SPE_STATS_OTHERS] = "others",
};

static struct spe_operation operation_of(const struct spe_group *group)
{
	return spe_operation_of(spe_group_class(group), spe_group_operation(group));
}

enum spe_stats_class spe_stats_class_of(const struct spe_group *group)
{
	unsigned class = spe_group_class(group);
	uint32_t flags = operation_of(group).flags;
	if (class == SPE_CLASS_BRANCH)
		return SPE_STATS_BRANCHES;
	if (class != SPE_CLASS_LOAD_STORE)
		return SPE_STATS_OTHERS;
	if (flags & SPE_OPERATION_IS_ATOMIC)
		return SPE_STATS_ATOMICS;
	return flags & SPE_OPERATION_IS_STORE ? SPE_STATS_STORES : SPE_STATS_LOADS;
}

struct error *spe_stats_add(struct spe_stats *stats, const struct spe_group *group)
{
	enum spe_stats_class class = spe_stats_class_of(group);
	stats->count += group->count;
	stats->classes[class] += group->count;
	stats->levels[group->origin.level] += group->count;
	stats->num_by_events += group->origin.is_by_events ? group->count : 0;
	for (unsigned i = 0; i < SPE_STATS_NUM_RATES; i++) {
		if (!(rates[i].classes >> class & 1))
			continue;
		// An unconditional branch is always taken, and would only dilute the rate.
		if (rates[i].needs_condition &&
		    !(operation_of(group).flags & SPE_OPERATION_IS_CONDITIONAL))
			continue;
		if (rates[i].of && !(group->events & rates[i].of))
			continue;
		if (group->midr == SPE_CORE_OF_PERF && rates[i].is_of_arm)
			continue;
		bool is_there = group->events & rates[i].happened;
		stats->rates[i].of += group->count;
		stats->rates[i].count += is_there != rates[i].is_negated ? group->count : 0;
	}
	struct error *err = NULL;
	for (unsigned i = 0; !err && i < SPE_NUM_LATENCIES; i++)
		err = spe_latency_merge(&stats->latencies[i], &group->latencies[i]);
	return err;
}

struct error *spe_stats_merge(struct spe_stats *stats, const struct spe_stats *other)
{
	stats->count += other->count;
	for (unsigned i = 0; i < SPE_STATS_NUM_CLASSES; i++)
		stats->classes[i] += other->classes[i];
	for (unsigned i = 0; i < SPE_NUM_LEVELS; i++)
		stats->levels[i] += other->levels[i];
	stats->num_by_events += other->num_by_events;
	for (unsigned i = 0; i < SPE_STATS_NUM_RATES; i++) {
		stats->rates[i].of += other->rates[i].of;
		stats->rates[i].count += other->rates[i].count;
	}
	struct error *err = NULL;
	for (unsigned i = 0; !err && i < SPE_NUM_LATENCIES; i++)
		err = spe_latency_merge(&stats->latencies[i], &other->latencies[i]);
	return err;
}

void spe_stats_deinit(struct spe_stats *stats)
{
	for (unsigned i = 0; i < SPE_NUM_LATENCIES; i++)
		spe_latency_deinit(&stats->latencies[i]);
	*stats = (struct spe_stats)SPE_STATS_INIT;
}

const char *spe_stats_class_name(enum spe_stats_class class)
{
	return class_names[class];
}

const char *spe_stats_rate_name(enum spe_stats_rate rate)
{
	return rates[rate].name;
}

const char *spe_stats_rate_key(enum spe_stats_rate rate)
{
	return rates[rate].key;
}

uint64_t spe_stats_num_loaded(const struct spe_stats *stats)
{
	return stats->count - stats->levels[SPE_LEVEL_NONE];
}
