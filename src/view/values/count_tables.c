// SPDX-License-Identifier: Apache-2.0

#include "view/values/count_tables.h"

#include "base/container/array.h"
#include "view/values/number_tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_TEXTS = 20 };

static struct error *print_numbers_of(const struct value_counts *counts, size_t first, size_t end,
				      struct table_layout layout, FILE *stream)
{
	static const struct table_column columns[] = {
		{"value", TABLE_LEFT}, {"passages", TABLE_RIGHT}, {"sum", TABLE_RIGHT},
		{"mean", TABLE_RIGHT}, {"least", TABLE_RIGHT},    {"greatest", TABLE_RIGHT},
	};
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(columns, ARRAY_SIZE(columns), &table);
	for (size_t i = first; !err && i < end; i++) {
		if (counts->items[i].is_string)
			continue;
		table_add_string(table, counts->items[i].label);
		number_tables_add(table, &counts->items[i].sum);
	}
	if (!err)
		err = table_check(table);
	if (err || !table_num_rows(table))
		return err;
	fputc('\n', stream);
	table_print(table, layout, stream);
	return NULL;
}

static uint64_t count_of_all(const struct value_count *count)
{
	return count->num_passages - count->num_unread;
}

static struct error *print_texts_of(const struct value_count *count, struct table_layout layout,
				    FILE *stream)
{
	const struct table_column columns[] = {
		{"passages", TABLE_RIGHT}, {"passages %", TABLE_RIGHT}, {count->label, TABLE_LEFT}};
	_cleanup_(table_destroyp) struct table *table = NULL;
	if (!count->num_texts)
		return NULL;
	struct error *err = table_create(columns, ARRAY_SIZE(columns), &table);
	size_t num = count->num_texts < SHOWN_TEXTS ? count->num_texts : SHOWN_TEXTS;
	for (size_t i = 0; !err && i < num; i++) {
		table_add_u64(table, count->texts[i].count);
		table_add_double(table,
				 100 * (double)count->texts[i].count / (double)count_of_all(count),
				 2);
		table_add_string(table, count->texts[i].text);
	}
	if (!err)
		err = table_check(table);
	if (err)
		return err;
	fputc('\n', stream);
	table_print(table, layout, stream);
	if (num < count->num_texts)
		fprintf(stream, "      ... and %zu more\n", count->num_texts - num);
	return NULL;
}

static struct error *print_event(const struct value_counts *counts, size_t first, size_t end,
				 struct table_layout layout, FILE *stream)
{
	fprintf(stream, "\n      values of %s\n", counts->items[first].event);
	struct error *err = print_numbers_of(counts, first, end, layout, stream);
	for (size_t i = first; !err && i < end; i++) {
		const struct value_count *count = &counts->items[i];
		err = count->is_string ? print_texts_of(count, layout, stream)
				       : number_tables_print_histogram(&count->sum, count->label,
								       layout, stream);
		if (count->num_unread)
			fprintf(stream, "      %s could not be read at %" PRIu64 " passages\n",
				count->label, count->num_unread);
	}
	return err;
}

struct error *count_tables_print(const struct value_counts *counts, struct table_layout layout,
				 FILE *stream)
{
	struct error *err = NULL;
	for (size_t i = 0, end; !err && i < counts->num_items; i = end) {
		end = i + 1;
		while (end < counts->num_items &&
		       strcmp(counts->items[i].event, counts->items[end].event) == 0)
			end++;
		err = print_event(counts, i, end, layout, stream);
	}
	return err;
}

void count_tables_write_json(const struct value_counts *counts, struct json_writer *json)
{
	if (!counts->num_items)
		return;
	json_key(json, "values");
	json_begin_array(json);
	for (size_t i = 0; i < counts->num_items; i++) {
		const struct value_count *count = &counts->items[i];
		json_begin_object(json);
		json_key_text(json, "event", count->event);
		json_key_text(json, "value", count->label);
		json_key_text(json, "kind", count->is_string ? "string" : "number");
		json_key_u64(json, "unread", count->num_unread);
		json_key(json, "rows");
		json_begin_array(json);
		if (!count->is_string) {
			json_begin_object(json);
			number_tables_write_json(&count->sum, json);
			json_end_object(json);
		}
		for (size_t k = 0; k < count->num_texts; k++) {
			json_begin_object(json);
			json_key_u64(json, "passages", count->texts[k].count);
			json_key_text(json, "text", count->texts[k].text);
			json_end_object(json);
		}
		json_end_array(json);
		json_end_object(json);
	}
	json_end_array(json);
}
