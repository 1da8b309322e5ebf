// SPDX-License-Identifier: Apache-2.0
// Metrics of a core follow each other, in the order of the plan; the rows of the tree are found in
// them by name. A row without its metric is left out: 0 would be an answer.

#include "report/stat/topdown_rows.h"

#include "base/container/arena.h"
#include "catalog/topdown.h"
#include "view/stat_report.h"
#include "view/text/topdown_view.h"

#include <string.h>

/** The first metric of this name of the core whose metrics start at @metrics. */
static const struct stat_metric *find_metric(const struct stat_metric *metrics, size_t num_metrics,
					     const char *name)
{
	for (size_t i = 0; i < num_metrics; i++)
		if (strcmp(metrics[i].metric_name, name) == 0)
			return &metrics[i];
	return NULL;
}

struct error *topdown_rows_fill(const struct topdown_tree *tree, size_t per_core,
				struct stat_report *report, struct arena *arena)
{
	struct topdown_row rows[TOPDOWN_MAX_ROWS];
	size_t num_rows = topdown_flatten(tree, rows);
	// Each core has the same metrics, in the order of the plan.
	size_t num_cores = report->num_metrics / per_core;
	struct stat_topdown *lines = arena_alloc_array(arena, num_cores * num_rows, sizeof(*lines));
	if (!lines)
		return &error_no_memory;
	report->topdown = lines;
	for (size_t i = 0; i < num_cores * num_rows; i++) {
		const struct topdown_row *row = &rows[i % num_rows];
		const struct stat_metric *metric = find_metric(
			&report->metrics[i / num_rows * per_core], per_core, row->node->metric);
		if (!metric) // it was not counted: its line is left out
			continue;
		_cleanup_free_ char *look_at = NULL;
		struct error *err = topdown_look_at(tree, row->node, &look_at);
		if (err)
			return err;
		const char *groups = arena_strdup(arena, look_at);
		if (!groups)
			return &error_no_memory;
		lines[report->num_topdown++] = (struct stat_topdown){
			.core = metric->core,
			.depth = row->depth,
			.metric_name = metric->metric_name,
			.unit = metric->unit,
			.value = metric->value,
			.look_at = groups,
		};
	}
	return NULL;
}
