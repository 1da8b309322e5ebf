/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_CATALOG_H
#define WPERF_CATALOG_CATALOG_H

/**
 * All events, metrics and CPUs that have a name in this run: the tables of the current CPU, the
 * events of the operating system, and those that the user adds with -E, -C and --events-dir.
 */

#include "base/error.h"
#include "catalog/catalog_tables.h"

#include <stdbool.h>

/** @cpu may be NULL. @counters: as reported by the source. Sets max_raw_code to that of Arm. */
void catalog_init(struct catalog *catalog, const struct cpu *cpu,
		  const struct pmu_counters *counters);
void catalog_deinit(struct catalog *catalog);

/** The CPU of this name or alias, loaded ones first; or NULL. */
const struct cpu *catalog_find_cpu(const struct catalog *catalog, const char *name);

/**
 * The same for a name that a user typed. The error for an unknown one has the nearest name or, with
 * @compat, WindowsPerf's message with all names.
 */
struct error *catalog_require_cpu(const struct catalog *catalog, const char *name, bool compat,
				  const struct cpu **ret);

/**
 * The event of this class and name, case ignored; or NULL. The order is: extra events, the CPU's
 * table, the tables of the architecture (only with an Arm CPU), the kernel's events (also for class
 * core). DSU events are in the DSU's table, else architectural names, which have class core.
 */
const struct event *catalog_find_event(const struct catalog *catalog, enum event_class event_class,
				       const char *name);

/**
 * The name that is nearest to a mistyped one, without the prefix of its class; or NULL. Valid as
 * long as the catalog.
 */
const char *catalog_nearest_event(const struct catalog *catalog, enum event_class event_class,
				  const char *name);

/**
 * The first event of this class with this code, in the same order, but without the kernel's events,
 * whose codes are separate; or NULL.
 */
const struct event *catalog_find_code(const struct catalog *catalog, enum event_class event_class,
				      uint64_t code);

/**
 * The event of a raw code: the extra event with that code, or a new one named r<hex>, even if the
 * code has a name in the tables, because the user typed a number.
 */
struct error *catalog_raw_event(struct catalog *catalog, enum event_class event_class,
				uint64_t code, const struct event **ret);

/**
 * -E: @argument is a list, `name:hex(,name:hex)*`, or a file with a list per line. A name may start
 * with a class prefix. Empty lines and lines that start with '#' are skipped. A code that is
 * already an extra event of that class keeps its first name.
 */
struct error *catalog_add_extra_events(struct catalog *catalog, const char *argument);

/** The tree of metrics for `-m topdown`, or NULL. */
const struct topdown_tree *catalog_topdown(const struct catalog *catalog);

/** The product of the metrics with formulas: neoverse-n1, x86; "" if there are none. */
const char *catalog_product_name(const struct catalog *catalog);

/** The known events of the DSU and the memory controllers. */
extern const struct event uncore_events[];
extern const size_t num_uncore_events;

#endif
