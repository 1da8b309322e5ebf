// SPDX-License-Identifier: Apache-2.0

#include "report/values/value_tables.h"

#include "base/container/array.h"
#include "base/file/file_name.h"
#include "base/text/string_builder.h"
#include "catalog/linux/probe_values.h"
#include "view/values/number_tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// First one table of all numbers, then a histogram of each, and the strings. By code, numbers have
// a table each, as strings have.

static const char *event_name(const struct value_tables_request *request)
{
	const struct named_profile *profile = request->profile;
	return named_profile_text(profile, profile->events[request->event].name);
}

/** A function's values are those of who calls it; what it returns comes to who has called it. */
static enum value_code value_tables_code(const struct value_tables_request *request)
{
	const char *name = event_name(request);
	bool is_call = strncmp(name, "u:", 2) == 0 || strncmp(name, "k:", 2) == 0;
	return is_call ? VALUE_CODE_CALLER : VALUE_CODE_LEAF;
}

/** As the user wrote it; a recording of others may have another name. */
static void label_of(const struct value_tables_request *request, size_t value,
		     char ret[static PROBE_VALUE_LABEL])
{
	struct probe_values words;
	if (probe_values_of_name(event_name(request), &words) && value < words.num_items)
		snprintf(ret, PROBE_VALUE_LABEL, "%s", words.items[value].label);
	else
		snprintf(ret, PROBE_VALUE_LABEL, "value %zu", value + 1);
}

static struct error *value_tables_name_code(const struct named_profile *profile, uint32_t frame,
					    struct string_builder *line, const char **ret_function)
{
	*ret_function = "";
	if (frame == NAMED_NONE) {
		string_builder_append(line, "[unknown]");
		return line->failed ? &error_no_memory : NULL;
	}
	const struct named_frame *code = &profile->frames[frame];
	const struct named_function *function = &profile->functions[code->function];
	*ret_function = named_profile_text(profile, function->name);
	if (code->line)
		string_builder_appendf(line, "%s:%" PRIu32,
				       file_name_of(named_profile_text(profile, code->file)),
				       code->line);
	else if (function->module != NAMED_NONE)
		string_builder_append(
			line, named_profile_text(profile, profile->modules[function->module].name));
	return line->failed ? &error_no_memory : NULL;
}

static struct error *value_tables_add_code(const struct value_tables_request *request,
					   struct table *table, uint32_t frame)
{
	_cleanup_(string_builder_deinit) struct string_builder line = STRING_BUILDER_INIT;
	const char *function;
	if (request->row == VALUE_ROW_ALL)
		return NULL;
	struct error *err = value_tables_name_code(request->profile, frame, &line, &function);
	if (request->row == VALUE_ROW_LINE)
		table_add_string(table, string_builder_peek(&line));
	table_add_string(table, function);
	return err;
}

static size_t value_tables_rows(const struct value_tables_request *request, size_t num)
{
	return request->max_rows && request->max_rows < num ? request->max_rows : num;
}

static struct error *value_tables_print_one(struct table *table, struct table_layout layout,
					    FILE *stream)
{
	struct error *err = table_check(table);
	if (err || !table_num_rows(table))
		return err;
	fputc('\n', stream);
	table_print(table, layout, stream);
	return NULL;
}

/** The columns of code are the last ones. */
static size_t value_tables_columns(const struct value_tables_request *request, size_t num_without)
{
	static const size_t num[] = {
		[VALUE_ROW_ALL] = 0, [VALUE_ROW_FUNCTION] = 1, [VALUE_ROW_LINE] = 2};
	return num_without + num[request->row];
}

static struct error *value_tables_print_numbers(const struct value_tables_request *request,
						const struct value_sums *sums, const char *label,
						struct table_layout layout, FILE *stream)
{
	const char *first = request->row == VALUE_ROW_LINE ? "line" : "function";
	const struct table_column columns[] = {
		{label, TABLE_LEFT},   {"passages", TABLE_RIGHT}, {"sum", TABLE_RIGHT},
		{"mean", TABLE_RIGHT}, {"least", TABLE_RIGHT},    {"greatest", TABLE_RIGHT},
		{first, TABLE_LEFT},   {"function", TABLE_LEFT},
	};
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(columns, value_tables_columns(request, 6), &table);
	size_t num = value_tables_rows(request, sums->num_numbers);
	for (size_t i = 0; !err && i < num; i++) {
		table_add_string(table, "");
		number_tables_add(table, &sums->numbers[i].sum);
		err = value_tables_add_code(request, table, sums->numbers[i].frame);
	}
	return err ? err : value_tables_print_one(table, layout, stream);
}

static uint64_t count_of_texts(const struct value_sums *sums)
{
	uint64_t count = 0;
	for (size_t i = 0; i < sums->num_texts; i++)
		count += sums->texts[i].count;
	return count;
}

static struct error *value_tables_print_texts(const struct value_tables_request *request,
					      const struct value_sums *sums, const char *label,
					      struct table_layout layout, FILE *stream)
{
	const char *first = request->row == VALUE_ROW_LINE ? "line" : "function";
	const struct table_column columns[] = {
		{"passages", TABLE_RIGHT}, {"passages %", TABLE_RIGHT}, {label, TABLE_LEFT},
		{first, TABLE_LEFT},       {"function", TABLE_LEFT},
	};
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(columns, value_tables_columns(request, 3), &table);
	uint64_t whole = count_of_texts(sums);
	size_t num = value_tables_rows(request, sums->num_texts);
	for (size_t i = 0; !err && i < num; i++) {
		const struct value_text *text = &sums->texts[i];
		table_add_u64(table, text->count);
		table_add_double(table, 100 * (double)text->count / (double)whole, 2);
		table_add_string(table, named_profile_text(request->profile, text->text));
		err = value_tables_add_code(request, table, text->frame);
	}
	if (!err)
		err = value_tables_print_one(table, layout, stream);
	if (!err && num < sums->num_texts)
		fprintf(stream, "      ... and %zu more\n", sums->num_texts - num);
	return err;
}

static struct error *value_tables_print_value(const struct value_tables_request *request,
					      size_t value, struct table_layout layout,
					      FILE *stream)
{
	_cleanup_(value_sums_deinit) struct value_sums sums = VALUE_SUMS_INIT;
	char label[PROBE_VALUE_LABEL];
	label_of(request, value, label);
	struct error *err = value_sums_create(request->profile, request->event, value, request->row,
					      value_tables_code(request), request->filter, &sums);
	if (err)
		return err;
	if (sums.is_string)
		err = value_tables_print_texts(request, &sums, label, layout, stream);
	else if (request->row != VALUE_ROW_ALL)
		err = value_tables_print_numbers(request, &sums, label, layout, stream);
	else if (sums.num_numbers)
		err = number_tables_print_histogram(&sums.numbers[0].sum, label, layout, stream);
	if (!err && sums.num_unread)
		fprintf(stream, "      %s could not be read at %" PRIu64 " passages\n", label,
			sums.num_unread);
	if (!err && sums.num_left_out)
		fprintf(stream,
			"      %s of %" PRIu64 " passages is left out: damaged, or there were too "
			"many different values\n",
			label, sums.num_left_out);
	return err;
}

/** All numbers side by side. */
static struct error *print_summary(const struct value_tables_request *request, size_t num,
				   struct table_layout layout, FILE *stream)
{
	static const struct table_column columns[] = {
		{"value", TABLE_LEFT}, {"passages", TABLE_RIGHT}, {"sum", TABLE_RIGHT},
		{"mean", TABLE_RIGHT}, {"least", TABLE_RIGHT},    {"greatest", TABLE_RIGHT},
	};
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(columns, ARRAY_SIZE(columns), &table);
	for (size_t i = 0; !err && i < num; i++) {
		_cleanup_(value_sums_deinit) struct value_sums sums = VALUE_SUMS_INIT;
		char label[PROBE_VALUE_LABEL];
		label_of(request, i, label);
		err = value_sums_create(request->profile, request->event, i, VALUE_ROW_ALL,
					value_tables_code(request), request->filter, &sums);
		if (err || !sums.num_numbers)
			continue;
		table_add_string(table, label);
		number_tables_add(table, &sums.numbers[0].sum);
	}
	return err ? err : value_tables_print_one(table, layout, stream);
}

struct error *value_tables_print(const struct value_tables_request *request,
				 struct table_layout layout, FILE *stream)
{
	size_t num = value_sums_num_values(request->profile, request->event);
	if (!num)
		return NULL;
	fprintf(stream, "\n      values of %s\n", event_name(request));
	struct error *err = print_summary(request, num, layout, stream);
	for (size_t i = 0; !err && i < num; i++)
		err = value_tables_print_value(request, i, layout, stream);
	return err;
}

static struct error *value_tables_write_code(const struct value_tables_request *request,
					     uint32_t frame, struct json_writer *json)
{
	_cleanup_(string_builder_deinit) struct string_builder line = STRING_BUILDER_INIT;
	const char *function;
	if (request->row == VALUE_ROW_ALL)
		return NULL;
	struct error *err = value_tables_name_code(request->profile, frame, &line, &function);
	if (request->row == VALUE_ROW_LINE)
		json_key_text(json, "line", string_builder_peek(&line));
	json_key_text(json, "function", function);
	return err;
}

static struct error *value_tables_write_rows(const struct value_tables_request *request,
					     const struct value_sums *sums,
					     struct json_writer *json)
{
	struct error *err = NULL;
	size_t num =
		value_tables_rows(request, sums->is_string ? sums->num_texts : sums->num_numbers);
	json_key(json, "rows");
	json_begin_array(json);
	for (size_t i = 0; !err && i < num; i++) {
		json_begin_object(json);
		if (sums->is_string) {
			const struct value_text *text = &sums->texts[i];
			json_key_u64(json, "passages", text->count);
			json_key_text(json, "text",
				      named_profile_text(request->profile, text->text));
			err = value_tables_write_code(request, text->frame, json);
		} else {
			number_tables_write_json(&sums->numbers[i].sum, json);
			err = value_tables_write_code(request, sums->numbers[i].frame, json);
		}
		json_end_object(json);
	}
	json_end_array(json);
	return err;
}

struct error *value_tables_write_json(const struct value_tables_request *request,
				      struct json_writer *json)
{
	size_t num = value_sums_num_values(request->profile, request->event);
	struct error *err = NULL;
	if (!num)
		return NULL;
	json_key(json, "values");
	json_begin_array(json);
	for (size_t i = 0; !err && i < num; i++) {
		_cleanup_(value_sums_deinit) struct value_sums sums = VALUE_SUMS_INIT;
		char label[PROBE_VALUE_LABEL];
		label_of(request, i, label);
		err = value_sums_create(request->profile, request->event, i, request->row,
					value_tables_code(request), request->filter, &sums);
		if (err)
			break;
		json_begin_object(json);
		json_key_text(json, "value", label);
		json_key_text(json, "kind", sums.is_string ? "string" : "number");
		json_key_u64(json, "unread", sums.num_unread);
		json_key_u64(json, "left_out", sums.num_left_out);
		err = value_tables_write_rows(request, &sums, json);
		json_end_object(json);
	}
	json_end_array(json);
	return err;
}
