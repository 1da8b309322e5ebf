/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_CATALOG_TABLES_H
#define WPERF_CATALOG_CATALOG_TABLES_H

/** What a catalog consists of: for those who fill it. catalog.h is for those who look things up. */

#include "base/container/arena.h"
#include "catalog/cpu.h"
#include "catalog/event.h"

#include <stddef.h>
#include <stdint.h>

/** Counters of the machine, for each class of the driver. 0: the machine has no such unit. */
struct pmu_counters {
	unsigned free[NUM_PMU_CLASSES];  /* that we can program */
	unsigned total[NUM_PMU_CLASSES]; /* built in */
};

struct core_pmu;

struct catalog {
	const struct cpu *cpu; /* of the current core; NULL: not an Arm core */
	struct pmu_counters counters;
	uint64_t max_raw_code; /* 0xffff on Arm */

	const struct cpu *
		*loaded_cpus; /* of --events-dir; they replace built-in ones of the same name */
	size_t num_loaded_cpus, cap_loaded_cpus;

	const struct event **system_events; /* EVENT_PERF: events of the kernel */
	size_t num_system_events, cap_system_events;

	const struct kernel_metrics *kernel_metrics; /* over these events, or NULL */

	struct core_pmu *core_pmus; /* of several kinds of cores: linux/core_pmus.h */
	size_t num_core_pmus;       /* 0: all cores are of one kind */

	const char *tracing_folder; /* of tracepoints, or NULL */
	const char *sysfs_folder; /* of PMUs; NULL: the events are not those of the Linux kernel */

	const struct event **extra_events; /* -E, and raw codes in use */
	size_t num_extra_events, cap_extra_events;

	struct metric *custom_metrics; /* -C */
	size_t num_custom_metrics, cap_custom_metrics;

	struct arena arena; /* for all of the above */
};

#endif
