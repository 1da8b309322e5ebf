/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_LINUX_CORE_PMUS_H
#define WPERF_CATALOG_LINUX_CORE_PMUS_H

/**
 * Machines with several kinds of cores (Arm big.LITTLE, Intel's hybrid CPUs): the kernel has a PMU
 * for each kind, which counts on the cores of its kind only. An event without a PMU's name becomes
 * one event for each PMU that has it, as in perf: `cycles` is `cpu_core/cycles/` and
 * `cpu_atom/cycles/`.
 *
 * catalog->core_pmus has them, and is empty where all cores are of one kind.
 */

#include "base/error.h"
#include "catalog/catalog_tables.h"
#include "catalog/event_list.h"

#include <stdbool.h>
#include <stddef.h>

struct kernel_metrics;
struct topdown_tree;

/** The PMU of one kind of cores. */
struct core_pmu {
	const char *name;          /* "cpu_atom", "armv8_cortex_a53" */
	uint32_t type;             /* attr.type */
	bool takes_generic_events; /* with its type in the upper half of attr.config */
	const struct cpu *cpu;     /* the table of its cores; NULL: they are not Arm's */
	const struct kernel_metrics *kernel_metrics; /* over its events, or NULL */
};

/** Does the name begin with that of the PMU, and a slash? */
bool core_pmu_names(const struct core_pmu *pmu, const char *event_name);

/** "cpu_atom/cycles/" for "cycles", and "cpu_atom/cycles/:u" for "cycles:u"; NULL: no memory. */
char *core_pmu_name(const struct core_pmu *pmu, struct arena *arena, const char *name);

/** The product of its metrics: neoverse-n1, x86. */
const char *core_pmu_product(const struct core_pmu *pmu);

/** The tree of its metrics for `-m topdown`; or NULL. */
const struct topdown_tree *core_pmu_topdown(const struct core_pmu *pmu);

/**
 * Replace the events from @first on, which belong together, by those of the PMUs: for each PMU all
 * of them, a group if @is_group. What is of no core stays as it is. Where one of a group names its
 * PMU, the others are meant of that one, too; that they name or need another one is an error.
 * Nothing changes if no event is of cores, or all of them name their PMU.
 * @ret_is_spread: has anything changed?
 */
struct error *core_pmus_spread(struct catalog *catalog, struct event_list *list, size_t first,
			       bool is_group, bool *ret_is_spread);

#endif
