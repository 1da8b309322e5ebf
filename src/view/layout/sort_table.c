// SPDX-License-Identifier: Apache-2.0

#include "view/layout/sort_table.h"

#include "base/container/array.h"
#include "base/text/string_builder.h"

#include <string.h>

// report --sort with several keys: columns of figures and of keys in the order of --fields, as text
// and as JSON. The keys of JSON are the titles of the columns with underscores for blanks, so that
// adding a sort key needs nothing here.
//
//	self %  total %  samples  command  module    symbol
// =====  =======  =======  =======  ======    ======
//	 97.87   100.00      138  loop     loop      add
//	  1.42     1.42        2  loop     [kernel]  finish_task_switch.isra.0

enum { DECIMALS = 2 };

static const struct table_column figure_columns[SORT_NUM_FIGURES] = {
	[SORT_SELF] = {"self %", TABLE_RIGHT},
	[SORT_TOTAL] = {"total %", TABLE_RIGHT},
	[SORT_SAMPLES] = {"samples", TABLE_RIGHT},
	[SORT_WEIGHT] = {"weight", TABLE_RIGHT},
};

static void add_figure(const struct sort_list *list, const struct sort_row *row,
		       enum sort_figure figure, struct table *table)
{
	switch (figure) {
	case SORT_SELF:
		table_add_double(table, named_total_percent(row->self, list->whole), DECIMALS);
		break;
	case SORT_TOTAL:
		table_add_double(table, named_total_percent(row->total, list->whole), DECIMALS);
		break;
	case SORT_SAMPLES:
		table_add_u64(table, row->self.count);
		break;
	default:
		table_add_u64(table, row->self.weight);
	}
}

static struct error *sort_table_add_row(const struct named_profile *profile,
					const struct sort_list *list, const struct sort_row *row,
					const struct sort_look *look, struct table *table)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	for (size_t i = 0; i < look->num_columns; i++) {
		if (!look->columns[i].is_key) {
			add_figure(list, row, look->columns[i].figure, table);
			continue;
		}
		string_builder_clear(&text);
		sort_list_append_cell(profile, row, look->columns[i].key, &text);
		table_add_string(table, string_builder_peek(&text));
	}
	return text.failed ? &error_no_memory : NULL;
}

static size_t sort_table_num_shown(const struct sort_list *list, size_t max_rows)
{
	return max_rows && list->num_rows > max_rows ? max_rows : list->num_rows;
}

struct error *sort_table_print(const struct named_profile *profile, const struct sort_list *list,
			       const struct sort_look *look, size_t max_rows,
			       struct table_layout layout, FILE *stream)
{
	struct table_column columns[SORT_MAX_COLUMNS];
	for (size_t i = 0; i < look->num_columns; i++)
		columns[i] = look->columns[i].is_key
				     ? (struct table_column){sort_key_title(look->columns[i].key),
							     TABLE_LEFT}
				     : figure_columns[look->columns[i].figure];
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(columns, look->num_columns, &table);
	size_t num_rows = sort_table_num_shown(list, max_rows);
	for (size_t i = 0; !err && i < num_rows; i++)
		err = sort_table_add_row(profile, list, &list->rows[i], look, table);
	if (!err)
		err = table_check(table);
	if (err)
		return err;
	table_print(table, layout, stream);
	if (list->num_rows > num_rows)
		fprintf(stream, "      ... and %zu more\n", list->num_rows - num_rows);
	return NULL;
}

static struct error *sort_table_write_row(const struct named_profile *profile,
					  const struct sort_list *list, const struct sort_row *row,
					  struct json_writer *json)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	json_begin_object(json);
	for (size_t i = 0; i < list->num_keys; i++) {
		string_builder_clear(&text);
		sort_list_append_cell(profile, row, list->keys[i], &text);
		// "source_file"
		char key[32];
		snprintf(key, sizeof(key), "%s", sort_key_title(list->keys[i]));
		for (char *blank = key; (blank = strchr(blank, ' '));)
			*blank = '_';
		json_key(json, key);
		json_text(json, string_builder_peek(&text));
	}
	json_key(json, "self_percent");
	json_double(json, named_total_percent(row->self, list->whole));
	json_key(json, "total_percent");
	json_double(json, named_total_percent(row->total, list->whole));
	json_key_u64(json, "samples", row->self.count);
	json_key_u64(json, "weight", row->self.weight);
	json_end_object(json);
	return text.failed ? &error_no_memory : NULL;
}

struct error *sort_table_write_json(const struct named_profile *profile,
				    const struct sort_list *list, size_t max_rows,
				    struct json_writer *json)
{
	_cleanup_(string_builder_deinit) struct string_builder by = STRING_BUILDER_INIT;
	for (size_t i = 0; i < list->num_keys; i++)
		string_builder_appendf(&by, "%s%s", i ? "," : "", sort_key_title(list->keys[i]));
	if (by.failed)
		return &error_no_memory;
	json_key_text(json, "by", string_builder_peek(&by));
	json_key(json, "rows");
	json_begin_array(json);
	struct error *err = NULL;
	for (size_t i = 0; !err && i < sort_table_num_shown(list, max_rows); i++)
		err = sort_table_write_row(profile, list, &list->rows[i], json);
	json_end_array(json);
	return err;
}
