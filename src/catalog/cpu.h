/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_CPU_H
#define WPERF_CATALOG_CPU_H

/**
 * The known Arm CPUs: the events, metrics and groups of each.
 *
 * To add a CPU: 1) write catalog/arm/<name>.c like its neighbours: if it counts nearly what one of
 * them counts, share its lists (catalog/arm/tables.h), else write its own. New events, metrics and
 * groups first get a row in catalog/arm/<*>.inc. 2) name it in catalog/arm/cpus.inc, 3) give its
 * MIDR a row in catalog/midr.c, 4) add it to docs/cpus.md. Nothing else changes.
 */

#include "catalog/event.h"

#include <stddef.h>
#include <stdint.h>

/** Name and unit of a metric, the same on every CPU. */
struct metric_info {
	const char *name;
	const char *unit;
	const char *title;
	const char *description;
};

/** A metric of one CPU. The formula has event names of that CPU, in lower case. */
struct cpu_metric {
	const struct metric_info *info;
	const char *formula;
};

struct group_info {
	const char *name;
	const char *title;
	const char *description;
};

/** A group of metrics of one CPU. */
struct cpu_group {
	const struct group_info *info;
	const char *metrics; /* names of this CPU's metrics, joined by commas */
};

struct cpu {
	const char *name;     /* neoverse-n1 */
	const char *title;    /* Neoverse N1; NULL for an architecture's table */
	const char *arch;     /* armv8.2 */
	const char *pmu_arch; /* pmu_v3 */
	unsigned num_slots;
	unsigned num_bus_slots;

	const struct event *const *events; /* ascending code */
	size_t num_events;
	const struct cpu_metric *metrics; /* by name */
	size_t num_metrics;
	const struct cpu_group *groups; /* by name */
	size_t num_groups;
	const struct topdown_tree *topdown; /* or NULL */
};

/** All CPUs with a table, by name; armv8-a and armv9-a first. Ends with NULL. */
extern const struct cpu *const all_cpus[];

/** Another name of a CPU, for example a revision with the same table. */
struct cpu_alias {
	const char *alias;
	const char *name;
};

/** By alias; ends with a NULL alias. */
extern const struct cpu_alias cpu_aliases[];

/** The CPU of this name or alias, case ignored, or NULL. */
const struct cpu *cpu_find(const char *name);

/** Look up a name in a CPU's tables; NULL if it is missing. Case of event names is ignored. */
const struct event *cpu_find_event(const struct cpu *cpu, const char *name);
const struct cpu_metric *cpu_find_metric(const struct cpu *cpu, const char *name);
const struct cpu_group *cpu_find_group(const struct cpu *cpu, const char *name);

struct error;
struct string_builder;

/** Add a hint: the name or alias nearest to what the user typed, and where all names are. */
struct error *cpu_hint_at_names(struct error *err, const char *name);

/** All names, aliases too, in order: "ampereone, ..., neoverse-n1, ...". */
void cpu_append_names(struct string_builder *text, const char *separator);

#endif
