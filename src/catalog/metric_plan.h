/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_METRIC_PLAN_H
#define WPERF_CATALOG_METRIC_PLAN_H

/**
 * The metrics to compute from the counts: the compiled formula of each requested metric, and the
 * requests of its events.
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
	double *values; /* filled in by the caller */
	size_t num_items;
};

struct metric_plan {
	struct planned_metric *metrics; /* by name, then in the order of requests */
	size_t num_metrics, cap_metrics;
};

#define METRIC_PLAN_INIT \
	{                \
	}

/** @metrics must outlive the plan. A metric that is requested twice is in it twice. */
struct error *metric_plan_create(const struct event_list *list, const struct metric_list *metrics,
				 struct metric_plan *ret);
void metric_plan_deinit(struct metric_plan *plan);

/** Compute from planned_metric.values. */
double planned_metric_evaluate(const struct planned_metric *metric);

#endif
