/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_METRIC_PLAN_H
#define WPERF_CATALOG_METRIC_PLAN_H

/**
 * Which metrics can be computed from what is counted: each metric with a formula that was asked
 * for, its formula compiled once, and where the counts of its events are found.
 */

#include "base/error.h"
#include "catalog/event_list.h"
#include "catalog/metric.h"

#include <stddef.h>

struct formula;

struct planned_metric {
	const struct metric *metric;
	struct formula *formula;
	size_t *items;  /* for each name of the formula, the index of its request in the list */
	double *values; /* room for evaluation */
	size_t num_items;
};

struct metric_plan {
	struct planned_metric *metrics; /* by name; those of the same name in the order of asking */
	size_t num_metrics, cap_metrics;
};

#define METRIC_PLAN_INIT \
	{                \
	}

/** @metrics must outlive the plan. A metric that was asked for twice is there twice. */
struct error *metric_plan_create(const struct event_list *list, const struct metric_list *metrics,
				 struct metric_plan *ret);
void metric_plan_deinit(struct metric_plan *plan);

/** Compute from planned_metric.values, which the caller has filled. */
double planned_metric_evaluate(const struct planned_metric *metric);

#endif
