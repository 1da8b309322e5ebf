// SPDX-License-Identifier: Apache-2.0
// Five hot lists per event, by line, function, file, task and exception, are joined into five
// tables with a column for each event, so that one can see which lines burn CPU and which wait.
// Then come the samples in code that the interpreter's JIT made (compiled_lines.h): their functions
// are right, their lines may not be. Filters are kept: the listing of a source file sums its
// samples up once more, line by line.

#include "report/interpreted_tables.h"

#include "base/file/file_name.h"
#include "base/terminal/terminal.h"
#include "view/text/interpreted_source.h"

#include <stdlib.h>

static const enum hot_key keys[INTERPRETED_TABLES_NUM_KEYS] = {
	HOT_INTERPRETED_LINE, HOT_INTERPRETED_FUNCTION, HOT_INTERPRETED_FILE,
	HOT_INTERPRETED_TASK, HOT_INTERPRETED_RAISE,
};

struct error *interpreted_tables_init(struct interpreted_tables *tables,
				      const struct named_profile *profile, const char *sysroots)
{
	*tables = (struct interpreted_tables){.sources = source_files_create(sysroots)};
	tables->events = calloc(profile->num_events + 1, sizeof(*tables->events));
	tables->filters = calloc(profile->num_events + 1, sizeof(*tables->filters));
	bool is_all = tables->events && tables->filters;
	for (size_t i = 0; i < INTERPRETED_TABLES_NUM_KEYS; i++) {
		tables->lists[i] = calloc(profile->num_events + 1, sizeof(*tables->lists[i]));
		is_all &= tables->lists[i] != NULL;
	}
	tables->report = (struct interpreted_report){
		.profile = profile,
		.events = tables->events,
		.get_line = source_files_line,
		.context = &tables->sources,
	};
	return is_all ? source_files_set_profile(&tables->sources, profile) : &error_no_memory;
}

struct error *interpreted_tables_add(struct interpreted_tables *tables, uint32_t event,
				     struct profile_filter *filter)
{
	size_t index = tables->num_events++;
	struct error *err = NULL;
	// Taken over before anything can fail, so that the caller need not know how far it came.
	tables->filters[index] = filter;
	tables->events[index] = event;
	for (size_t i = 0; !err && i < INTERPRETED_TABLES_NUM_KEYS; i++)
		err = hot_list_create(tables->report.profile, keys[i], HOT_BY_SELF, filter,
				      &tables->lists[i][index]);
	return err;
}

struct error *interpreted_tables_finish(struct interpreted_tables *tables)
{
	struct hot_table *const results[INTERPRETED_TABLES_NUM_KEYS] = {
		&tables->report.lines, &tables->report.functions, &tables->report.files,
		&tables->report.tasks, &tables->report.raises};
	struct error *err = NULL;
	for (size_t i = 0; !err && i < INTERPRETED_TABLES_NUM_KEYS; i++)
		err = hot_table_create(tables->lists[i], tables->num_events, results[i]);
	return err ? err
		   : compiled_lines_create(tables->report.profile, tables->filters,
					   tables->num_events, &tables->report.compiled);
}

static struct error *show_source(struct interpreted_tables *tables, uint32_t file, bool is_unfolded,
				 FILE *stream, struct json_writer *json)
{
	const struct interpreted_report *report = &tables->report;
	const char *path = named_profile_text(report->profile, file);
	_cleanup_(interpreted_source_deinit) struct interpreted_source source =
		INTERPRETED_SOURCE_INIT;
	struct source_text text = {0};
	struct error *err =
		interpreted_source_create(report->profile, file, report->events, tables->filters,
					  &report->lines, &report->functions, &report->compiled,
					  &source);
	if (!err && *path)
		err = source_files_get(&tables->sources, path, &text);
	if (err)
		return err;
	// NULL where the file cannot be read; the listing then has line numbers and the reason.
	source.text = text.lines;
	source.refusal = text.refusal;
	struct style style = {.color = stream && terminal_has_color(stream)};
	if (stream) {
		fputc('\n', stream);
		interpreted_source_print(&source, is_unfolded, style, stream);
	}
	return json ? interpreted_source_write_json(&source, json) : NULL;
}

struct error *interpreted_tables_show_sources(struct interpreted_tables *tables, const char *wanted,
					      bool is_unfolded, FILE *stream,
					      struct json_writer *json, size_t *ret_num)
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

void interpreted_tables_deinit(struct interpreted_tables *tables)
{
	for (size_t i = 0; i < INTERPRETED_TABLES_NUM_KEYS; i++) {
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
	hot_table_deinit(&tables->report.tasks);
	hot_table_deinit(&tables->report.raises);
	compiled_lines_deinit(&tables->report.compiled);
	source_files_deinit(&tables->sources);
	free(tables->events);
	*tables = (struct interpreted_tables){0};
}
