// SPDX-License-Identifier: Apache-2.0

#include "cli/topdown_rows.h"

#include "catalog/topdown.h"
#include "cli/stat_tables.h"
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

/** One core's tree; metrics that were not counted leave their line out. */
static struct error *topdown_rows_add_core(const struct topdown_tree *tree,
					   const struct topdown_row *rows, size_t num_rows,
					   const struct stat_metric *metrics, size_t num_metrics,
					   struct arena *arena, struct stat_report *report,
					   struct stat_topdown *lines)
{
	for (size_t i = 0; i < num_rows; i++) {
		const struct stat_metric *metric =
			find_metric(metrics, num_metrics, rows[i].node->metric);
		if (!metric)
			continue;
		_cleanup_free_ char *look_at = NULL;
		struct error *err = topdown_look_at(tree, rows[i].node, &look_at);
		if (err)
			return err;
		const char *groups = arena_strdup(arena, look_at);
		if (!groups)
			return &error_no_memory;
		lines[report->num_topdown++] = (struct stat_topdown){
			.core = metric->core,
			.depth = rows[i].depth,
			.metric_name = metric->metric_name,
			.unit = metric->unit,
			.value = metric->value,
			.look_at = groups,
		};
	}
	return NULL;
}

struct error *topdown_rows_fill(struct stat_tables *tables, struct arena *arena)
{
	struct stat_report *report = &tables->report;
	report->num_topdown = 0;
	if (!tables->request->has_topdown || !tables->plan.num_metrics)
		return NULL;
	const struct topdown_tree *tree = catalog_topdown(&tables->session->catalog);
	struct topdown_row rows[TOPDOWN_MAX_ROWS];
	size_t num_rows = topdown_flatten(tree, rows);
	size_t per_core = tables->plan.num_metrics;
	size_t num_cores = report->num_metrics / per_core;
	struct stat_topdown *lines = arena_alloc_array(arena, num_cores * num_rows, sizeof(*lines));
	if (!lines)
		return &error_no_memory;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < num_cores; i++)
		err = topdown_rows_add_core(tree, rows, num_rows, &report->metrics[i * per_core],
					    per_core, arena, report, lines);
	report->topdown = lines;
	return err;
}
