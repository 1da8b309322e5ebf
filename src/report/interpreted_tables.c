// SPDX-License-Identifier: Apache-2.0

#include "report/interpreted_tables.h"

#include "base/file/file_name.h"
#include "base/terminal/terminal.h"
#include "view/text/interpreted_source.h"

#include <stdlib.h>

static const enum hot_key keys[PYTHON_TABLES_NUM_KEYS] = {
	HOT_PYTHON_LINE,
	HOT_PYTHON_FUNCTION,
	HOT_PYTHON_FILE,
};

struct error *python_tables_init(struct python_tables *tables, const struct named_profile *profile,
				 const char *sysroots)
{
	*tables = (struct python_tables){.sources = source_files_create(sysroots)};
	tables->events = calloc(profile->num_events + 1, sizeof(*tables->events));
	tables->filters = calloc(profile->num_events + 1, sizeof(*tables->filters));
	bool is_all = tables->events && tables->filters;
	for (size_t i = 0; i < PYTHON_TABLES_NUM_KEYS; i++) {
		tables->lists[i] = calloc(profile->num_events + 1, sizeof(*tables->lists[i]));
		is_all &= tables->lists[i] != NULL;
	}
	tables->report = (struct python_report){
		.profile = profile,
		.events = tables->events,
		.get_line = source_files_line,
		.context = &tables->sources,
	};
	return is_all ? source_files_set_profile(&tables->sources, profile) : &error_no_memory;
}

struct error *python_tables_add(struct python_tables *tables, uint32_t event,
				struct profile_filter *filter)
{
	size_t index = tables->num_events++;
	struct error *err = NULL;
	tables->filters[index] = filter;
	tables->events[index] = event;
	for (size_t i = 0; !err && i < PYTHON_TABLES_NUM_KEYS; i++)
		err = hot_list_create(tables->report.profile, keys[i], HOT_BY_SELF, filter,
				      &tables->lists[i][index]);
	return err;
}

struct error *python_tables_finish(struct python_tables *tables)
{
	struct hot_table *const results[PYTHON_TABLES_NUM_KEYS] = {
		&tables->report.lines, &tables->report.functions, &tables->report.files};
	struct error *err = NULL;
	for (size_t i = 0; !err && i < PYTHON_TABLES_NUM_KEYS; i++)
		err = hot_table_create(tables->lists[i], tables->num_events, results[i]);
	return err ? err
		   : python_compiled_create(tables->report.profile, tables->filters,
					    tables->num_events, &tables->report.compiled);
}

static struct error *show_source(struct python_tables *tables, uint32_t file, bool is_unfolded,
				 FILE *stream, struct json_writer *json)
{
	const struct python_report *report = &tables->report;
	const char *path = named_profile_text(report->profile, file);
	_cleanup_(python_source_deinit) struct python_source source = PYTHON_SOURCE_INIT;
	struct source_text text = {0};
	struct error *err = python_source_create(report->profile, file, report->events,
						 tables->filters, &report->lines,
						 &report->functions, &report->compiled, &source);
	if (!err && *path)
		err = source_files_get(&tables->sources, path, &text);
	if (err)
		return err;
	source.text = text.lines;
	source.refusal = text.refusal;
	struct style style = {.color = stream && terminal_has_color(stream)};
	if (stream) {
		fputc('\n', stream);
		python_source_print(&source, is_unfolded, style, stream);
	}
	return json ? python_source_write_json(&source, json) : NULL;
}

struct error *python_tables_show_sources(struct python_tables *tables, const char *wanted,
					 bool is_unfolded, FILE *stream, struct json_writer *json,
					 size_t *ret_num)
{
	const struct hot_table *files = &tables->report.files;
	size_t num_files = 0;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < files->num_rows; i++) {
		uint32_t file = files->rows[i].item;
		if (file == NAMED_NONE ||
		    !file_name_is_wanted(named_profile_text(tables->report.profile, file), wanted))
			continue;
		num_files++;
		err = show_source(tables, file, is_unfolded, stream, json);
	}
	if (ret_num)
		*ret_num = num_files;
	return err;
}

void python_tables_deinit(struct python_tables *tables)
{
	for (size_t i = 0; i < PYTHON_TABLES_NUM_KEYS; i++) {
		for (size_t k = 0; tables->lists[i] && k < tables->num_events; k++)
			hot_list_deinit(&tables->lists[i][k]);
		free(tables->lists[i]);
	}
	for (size_t i = 0; tables->filters && i < tables->num_events; i++)
		profile_filter_destroy(tables->filters[i]);
	free(tables->filters);
	hot_table_deinit(&tables->report.lines);
	hot_table_deinit(&tables->report.functions);
	hot_table_deinit(&tables->report.files);
	python_compiled_deinit(&tables->report.compiled);
	source_files_deinit(&tables->sources);
	free(tables->events);
	*tables = (struct python_tables){0};
}
