/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_CATALOG_H
#define WPERF_CATALOG_CATALOG_H

/**
 * Everything that can be asked for by name in this run: the tables of the CPU at hand, the
 * events of the operating system, and what the user added with -E, -C and --events-dir.
 */

#include "base/arena.h"
#include "base/error.h"
#include "catalog/cpu.h"
#include "catalog/event.h"

#include <stddef.h>
#include <stdint.h>

/** Counters of the machine, per class of the driver. Zero: the machine has no such unit. */
struct pmu_counters {
	unsigned free[NUM_PMU_CLASSES];  /* ours to program */
	unsigned total[NUM_PMU_CLASSES]; /* built in */
};

struct catalog {
	const struct cpu *cpu; /* of the core at hand; NULL if it is no Arm core */
	struct pmu_counters counters;
	uint64_t max_raw_code; /* 0xffff on Arm */

	const struct cpu **loaded_cpus; /* of --events-dir; they win over ours of the same name */
	size_t num_loaded_cpus, cap_loaded_cpus;

	const struct event **system_events; /* EVENT_PERF: what the kernel offers */
	size_t num_system_events, cap_system_events;

	const struct kernel_metrics *kernel_metrics; /* over these events, or NULL */

	const char *tracing_folder; /* of tracepoints, or NULL */
	const char *sysfs_folder; /* of PMUs; NULL: the events are not those of the Linux kernel */

	const struct event **extra_events; /* -E, and raw codes of this run */
	size_t num_extra_events, cap_extra_events;

	struct metric *custom_metrics; /* -C */
	size_t num_custom_metrics, cap_custom_metrics;

	struct arena arena; /* for all of the above */
};

/** @cpu may be NULL. Counters are those that a source reported; max_raw_code is Arm's. */
void catalog_init(struct catalog *catalog, const struct cpu *cpu,
		  const struct pmu_counters *counters);
void catalog_deinit(struct catalog *catalog);

/** The CPU of this name or alias: loaded ones first, then ours; NULL. */
const struct cpu *catalog_find_cpu(const struct catalog *catalog, const char *name);

/**
 * The same for a name that a user typed. An unknown one is an error that names the nearest, or
 * with @compat lists all in WindowsPerf's words.
 */
struct error *catalog_require_cpu(const struct catalog *catalog, const char *name, bool compat,
				  const struct cpu **ret);

/**
 * The event of this class and name, case ignored: extra events, then the CPU's own table, then
 * the tables of the architecture, then the kernel's events (class core finds those, too).
 * DSU events are those of the DSU table, else architectural names (with their class core). Without
 * an Arm CPU the tables of the architecture do not answer; NULL.
 */
const struct event *catalog_find_event(const struct catalog *catalog, enum event_class event_class,
				       const char *name);

/**
 * The name, as typed behind the prefix of its class, that a mistyped one most likely stands for;
 * NULL. It lives as long as the catalog.
 */
const char *catalog_nearest_event(const struct catalog *catalog, enum event_class event_class,
				  const char *name);

/**
 * The first event of this class with this code, in the same order (but codes of the kernel's events
 * are a class of their own); NULL.
 */
const struct event *catalog_find_code(const struct catalog *catalog, enum event_class event_class,
				      uint64_t code);

/**
 * The event of a raw code: the extra event of that code, or a new one named r<hex>.
 * (A code that has a name in the tables stays raw: the user asked by number.)
 */
struct error *catalog_raw_event(struct catalog *catalog, enum event_class event_class,
				uint64_t code, const struct event **ret);

/**
 * -E: @argument is a file with one list per line, or such a list: `name:hex(,name:hex)*`, a name
 * may start with a class prefix. Empty lines and lines that start with '#' are skipped in a file.
 * A code that is already an extra event of that class keeps its first name.
 */
struct error *catalog_add_extra_events(struct catalog *catalog, const char *argument);

/** The tree of metrics that `-m topdown` asks for, or NULL. */
const struct topdown_tree *catalog_topdown(const struct catalog *catalog);

/** Whose metrics with formulas these are: neoverse-n1, x86; "" if there are none. */
const char *catalog_product_name(const struct catalog *catalog);

/** The events of the DSU (and of the memory controllers) that we know by name. */
extern const struct event uncore_events[];
extern const size_t num_uncore_events;

#endif
