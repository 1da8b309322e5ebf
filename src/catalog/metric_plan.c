// SPDX-License-Identifier: Apache-2.0

#include "catalog/metric_plan.h"

#include "base/container/array.h"
#include "catalog/formula.h"
#include "catalog/linux/core_pmus.h"
#include "catalog/linux/kernel_metrics.h"
#include "catalog/topdown.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

// The list of requests was made from metrics; consecutive requests with the same metric and group
// are one (length_of_asking()). Each name in the formula is looked up among these requests only, as
// another group may count the same event at other times.

/** How many requests from @first on are one asking for one metric. */
static size_t length_of_asking(const struct event_list *list, size_t first)
{
	const struct event_request *head = &list->items[first];
	size_t end = first + 1;
	while (end < list->num_items && list->items[end].metric == head->metric &&
	       list->items[end].group == head->group)
		end++;
	return end - first;
}

static struct error *metric_plan_add(struct metric_plan *plan, const struct event_list *list,
				     size_t first, size_t length, const struct metric *metric)
{
	struct error *err =
		array_reserve(&plan->metrics, &plan->cap_metrics, plan->num_metrics + 1);
	if (err)
		return err;
	// In its place from the start: after an error the plan is given up as a whole.
	struct planned_metric *planned = &plan->metrics[plan->num_metrics++];
	*planned = (struct planned_metric){.metric = metric};
	err = formula_compile(metric->formula->formula, &planned->formula);
	if (err)
		return err;
	planned->num_items = formula_num_names(planned->formula);
	planned->items = calloc(planned->num_items, sizeof(*planned->items));
	planned->values = calloc(planned->num_items, sizeof(*planned->values));
	if (!planned->items || !planned->values)
		return &error_no_memory;
	for (size_t i = 0; i < planned->num_items; i++) {
		const char *name = formula_name(planned->formula, i);
		size_t item = first;
		while (item < first + length &&
		       strcasecmp(list->items[item].event->name, name) != 0 &&
		       !kernel_metrics_names_event(name, list->items[item].event->name))
			item++;
		planned->items[i] = item;
		if (item == first + length)
			return error_create(ERROR_FAILED,
					    "metric '%s' needs event '%s', but does not count it",
					    metric->name, name);
	}
	return NULL;
}

static int metric_plan_compare_metrics(const void *a, const void *b)
{
	const struct planned_metric *left = a, *right = b;
	int order = strcmp(left->metric->name, right->metric->name);
	if (order)
		return order;
	return (left->items[0] > right->items[0]) - (left->items[0] < right->items[0]);
}

/** Was it asked for by the kernel's tree, of whose group this is the first request? */
static bool is_kernel_metric_of(const struct metric *metric, const struct event_request *first)
{
	return metric->kind == METRIC_KERNEL &&
	       (!metric->pmu || core_pmu_names(metric->pmu, first->event->name));
}

/** One group of events was counted for all metrics of the kernel's tree. */
struct error *metric_plan_create(const struct event_list *list, const struct metric_list *metrics,
				 struct metric_plan *ret)
{
	_cleanup_(metric_plan_deinit) struct metric_plan plan = METRIC_PLAN_INIT;
	for (size_t first = 0, length; first < list->num_items; first += length) {
		length = length_of_asking(list, first);
		const char *name = list->items[first].metric;
		const struct metric *metric = name ? metric_list_find(metrics, name) : NULL;
		struct error *err = NULL;
		// Metrics without a formula are only lists of events: WindowsPerf's and the user's.
		if (metric && metric->formula)
			err = metric_plan_add(&plan, list, first, length, metric);
		// One group of events was counted for all metrics of the kernel's tree.
		bool is_tree = !metric && name && strcmp(name, topdown_name) == 0;
		for (size_t i = 0; is_tree && !err && i < metrics->num_items; i++)
			if (is_kernel_metric_of(&metrics->items[i], &list->items[first]))
				err = metric_plan_add(&plan, list, first, length,
						      &metrics->items[i]);
		if (err)
			return err;
	}
	// By name, and by place in the list where several groups have asked for the same metric.
	if (plan.num_metrics)
		qsort(plan.metrics, plan.num_metrics, sizeof(*plan.metrics),
		      metric_plan_compare_metrics);
	*ret = plan;
	plan = (struct metric_plan)METRIC_PLAN_INIT;
	return NULL;
}

void metric_plan_deinit(struct metric_plan *plan)
{
	for (size_t i = 0; i < plan->num_metrics; i++) {
		formula_destroy(plan->metrics[i].formula);
		free(plan->metrics[i].items);
		free(plan->metrics[i].values);
	}
	free(plan->metrics);
	*plan = (struct metric_plan)METRIC_PLAN_INIT;
}

double planned_metric_evaluate(const struct planned_metric *metric)
{
	return formula_evaluate(metric->formula, metric->values);
}
