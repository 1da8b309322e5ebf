/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_STAT_STAT_CORE_GROUPS_H
#define WPERF_REPORT_STAT_STAT_CORE_GROUPS_H

/** `stat --per-socket` and the like: counts of CPUs, summed up by their place in the machine. */

#include "base/container/arena.h"
#include "base/error.h"
#include "process/system/core_topology.h"
#include "profile/counts.h"

struct stat_core_groups {
	struct core_grouping by;
	const char *root; /* for core_topology_find(); NULL: the source does not know */
	/* private: where CPUs are that were looked up before the count */
	struct stat_placed_cpu {
		uint32_t cpu;
		struct core_place place;
	} * placed;
	size_t num_placed;
	/* private: found with the first counts */
	size_t num_cores, num_groups;
	size_t *group_of;    /* of each CPU */
	const char **labels; /* of each group, in the order of their places */
	uint32_t *sizes;     /* number of CPUs that were counted */
};

/**
 * Before the count: where CPUs are. The kernel no longer tells it of one that goes offline.
 * @cpus: NULL: the first @num ones. Those that are offline are left out; an error if no place is
 * known.
 */
struct error *stat_core_groups_place(struct stat_core_groups *groups, const uint32_t *cpus,
				     size_t num, struct arena *arena);

/**
 * Where the CPUs of a set are. Does nothing if they are known.
 * @arena: for as long as the groups.
 */
struct error *stat_core_groups_find(struct stat_core_groups *groups, const struct count_set *set,
				    struct arena *arena);

/**
 * Sum up. A scaled sum is the sum of the scaled counts of its CPUs. Where events took turns, its
 * time on a counter is therefore that part of the time that was counted of all that happened.
 * @ret: in the arena; units are groups.
 */
struct error *stat_core_groups_sum(const struct stat_core_groups *groups,
				   const struct count_set *set, struct arena *arena,
				   const struct count_set **ret);

#endif
