/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_LINUX_KERNEL_METRICS_H
#define WPERF_CATALOG_LINUX_KERNEL_METRICS_H

/**
 * Metrics over the kernel's events, for machines without Arm's tables: the top-down levels of x86
 * cores whose PMU publishes events for them in sysfs.
 *
 * In formulas, which cannot have slashes and dashes in names, `cpu/topdown-be-bound/` is
 * topdown_be_bound.
 */

#include "catalog/catalog_tables.h"
#include "catalog/cpu.h"

#include <stdbool.h>
#include <stddef.h>

struct kernel_metrics {
	const char *product_name; /* for tables */
	const struct cpu_metric *metrics;
	size_t num_metrics;
	const struct topdown_tree *topdown;
};

struct core_pmu;

/**
 * The deepest set whose events are all in the catalogue; or NULL.
 * @pmu: whose events it shall be; NULL: of any.
 */
const struct kernel_metrics *kernel_metrics_choose(const struct catalog *catalog,
						   const struct core_pmu *pmu);

/** Is @name the name of the event @event_name in formulas? Case ignored. */
bool kernel_metrics_names_event(const char *name, const char *event_name);

/** The kernel's event of a name in a formula; or NULL. @pmu: as above. */
const struct event *kernel_metrics_find_event(const struct catalog *catalog,
					      const struct core_pmu *pmu, const char *name);

#endif
