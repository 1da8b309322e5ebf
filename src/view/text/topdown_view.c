// SPDX-License-Identifier: Apache-2.0

#include "view/text/topdown_view.h"

#include "base/container/array.h"
#include "catalog/topdown.h"
#include "view/json/json_writer.h"
#include "view/layout/table.h"
#include "view/stat_report.h"
#include "view/text/stat_section.h"

#include <math.h>

// The tree comes in preorder with the depth of each metric (report/ makes it); text shows the depth
// by indenting, JSON as a number. "look at" names the metrics that explain the one in the row.
//
//	core  metric                   value  unit               look at
// ===  ======                   =====  ====               =======
//	   0  frontend_stalled_cycles   12.0  percent of cycles  Branch_Effectiveness, ...
//	   0  backend_stalled_cycles    24.0  percent of cycles  DTLB_Effectiveness, ...

static const struct table_column columns[] = {
	{"core", TABLE_RIGHT}, {"metric", TABLE_LEFT},  {"value", TABLE_RIGHT},
	{"unit", TABLE_LEFT},  {"look at", TABLE_LEFT},
};

enum {
	BLANKS_PER_LEVEL = 2,
	DECIMALS = 1,
	METRIC_MAX = BLANKS_PER_LEVEL * TOPDOWN_MAX_ROWS + 160, // names of files have 128 at most
};

struct error *topdown_view_print(const struct stat_report *report, FILE *stream)
{
	if (!report->num_topdown)
		return NULL;
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(columns, ARRAY_SIZE(columns), &table);
	if (err)
		return err;
	for (size_t i = 0; i < report->num_topdown; i++) {
		const struct stat_topdown *row = &report->topdown[i];
		char metric[METRIC_MAX];
		snprintf(metric, sizeof(metric), "%*s%s", (int)row->depth * BLANKS_PER_LEVEL, "",
			 row->metric_name);
		table_add_string(table, row->core);
		table_add_string(table, metric);
		if (isnan(row->value))
			table_add_string(table, stat_not_counted);
		else
			table_add_double(table, row->value, DECIMALS);
		table_add_string(table, row->unit);
		table_add_string(table, row->look_at);
	}
	err = table_check(table);
	if (err)
		return err;
	fputs("\nTop-down:\n", stream);
	table_print(table, report->layout, stream);
	return NULL;
}

void topdown_view_write_json(const struct stat_report *report, struct json_writer *json)
{
	if (!report->num_topdown)
		return;
	json_key(json, "topdown");
	json_begin_array(json);
	for (size_t i = 0; i < report->num_topdown; i++) {
		const struct stat_topdown *row = &report->topdown[i];
		if (isnan(row->value))
			continue; // its children have no number either
		json_begin_object(json);
		json_key_text(json, "core", row->core);
		json_key_u64(json, "depth", row->depth);
		json_key_text(json, "metric_name", row->metric_name);
		json_key(json, "value");
		json_double(json, row->value);
		json_key_text(json, "unit", row->unit);
		json_key_text(json, "look_at", row->look_at);
		json_end_object(json);
	}
	json_end_array(json);
}
