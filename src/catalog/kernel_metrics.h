/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_KERNEL_METRICS_H
#define WPERF_CATALOG_KERNEL_METRICS_H

/**
 * Metrics over events that the kernel names itself, for machines that have no table of Arm's: the
 * top-down levels of x86 cores whose PMU publishes events for them in sysfs.
 *
 * A formula cannot hold the slashes and dashes of such a name: `cpu/topdown-be-bound/` is
 * topdown_be_bound in it.
 */

#include "catalog/catalog.h"
#include "catalog/cpu.h"

#include <stdbool.h>
#include <stddef.h>

struct kernel_metrics {
	const char *product_name; /* whose metrics these are, in tables */
	const struct cpu_metric *metrics;
	size_t num_metrics;
	const struct topdown_tree *topdown;
};

/** The set whose events are all among the catalogue's system events; the deepest one, or NULL. */
const struct kernel_metrics *kernel_metrics_choose(const struct catalog *catalog);

/** Is @name what a formula calls the event @event_name? Case ignored. */
bool kernel_metrics_names_event(const char *name, const char *event_name);

/** The kernel's event that a formula calls @name, or NULL. */
const struct event *kernel_metrics_find_event(const struct catalog *catalog, const char *name);

#endif
