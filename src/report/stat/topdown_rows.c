// SPDX-License-Identifier: Apache-2.0
// Metrics of a core follow each other, in the order of the plan; the rows of the tree are found in
// them by name. A row without its metric is left out: 0 would be an answer.

#include "report/stat/topdown_rows.h"

#include "base/container/arena.h"
#include "catalog/catalog.h"
#include "catalog/linux/core_pmus.h"
#include "catalog/topdown.h"
#include "view/stat_report.h"
#include "view/text/topdown_view.h"

#include <string.h>

/** The first metric of this name of the core whose metrics start at @metrics. */
static const struct stat_metric *find_metric(const struct stat_metric *metrics, size_t num_metrics,
					     const struct core_pmu *pmu, const char *name)
{
	for (size_t i = 0; i < num_metrics; i++) {
		const char *own = metrics[i].metric_name;
		if (!pmu && strcmp(own, name) == 0)
			return &metrics[i];
		if (!pmu || !core_pmu_names(pmu, own))
			continue;
		// As `PMU/METRIC/`.
		own += strlen(pmu->name) + 1;
		size_t length = strlen(name);
		if (strncmp(own, name, length) == 0 && strcmp(own + length, "/") == 0)
			return &metrics[i];
	}
	return NULL;
}

/** The lines of one core. */
struct topdown_lines {
	const struct stat_metric *metrics;
	size_t num_metrics;
	struct stat_topdown *lines; /* with room for all trees */
	size_t num_lines;
	struct arena *arena;
};

/** @pmu: that the tree is of; or NULL. */
static struct error *add_tree(struct topdown_lines *lines, const struct topdown_tree *tree,
			      const struct core_pmu *pmu)
{
	struct topdown_row rows[TOPDOWN_MAX_ROWS];
	size_t num_rows = topdown_flatten(tree, rows);
	for (size_t i = 0; i < num_rows; i++) {
		const struct topdown_row *row = &rows[i];
		const struct stat_metric *metric =
			find_metric(lines->metrics, lines->num_metrics, pmu, row->node->metric);
		if (!metric) // it was not counted: its line is left out
			continue;
		_cleanup_free_ char *look_at = NULL;
		struct error *err = topdown_look_at(tree, row->node, &look_at);
		if (err)
			return err;
		const char *groups = arena_strdup(lines->arena, look_at);
		if (!groups)
			return &error_no_memory;
		lines->lines[lines->num_lines++] = (struct stat_topdown){
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

/** One tree, or one for each kind of cores. */
static struct error *add_trees(struct topdown_lines *lines, const struct catalog *catalog)
{
	const struct topdown_tree *common =
		catalog->num_core_pmus ? NULL : catalog_topdown(catalog);
	struct error *err = common ? add_tree(lines, common, NULL) : NULL;
	for (size_t i = 0; !err && i < catalog->num_core_pmus; i++) {
		const struct core_pmu *pmu = &catalog->core_pmus[i];
		if (core_pmu_topdown(pmu))
			err = add_tree(lines, core_pmu_topdown(pmu), pmu);
	}
	return err;
}

struct error *topdown_rows_fill(const struct catalog *catalog, size_t per_core,
				struct stat_report *report, struct arena *arena)
{
	// Each core has the same metrics, in the order of the plan.
	size_t num_cores = report->num_metrics / per_core;
	size_t num_trees = catalog->num_core_pmus + 1;
	struct topdown_lines lines = {
		.num_metrics = per_core,
		.lines = arena_alloc_array(arena, num_cores * num_trees * TOPDOWN_MAX_ROWS,
					   sizeof(*lines.lines)),
		.arena = arena,
	};
	struct error *err = lines.lines ? NULL : &error_no_memory;
	for (size_t i = 0; !err && i < num_cores; i++) {
		lines.metrics = &report->metrics[i * per_core];
		err = add_trees(&lines, catalog);
	}
	report->topdown = lines.lines;
	report->num_topdown = lines.num_lines;
	return err;
}
