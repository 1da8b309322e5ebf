// SPDX-License-Identifier: Apache-2.0

#include "cli/python_tables.h"

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
	bool is_all = tables->events;
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
	return is_all ? NULL : &error_no_memory;
}

struct error *python_tables_add(struct python_tables *tables, uint32_t event,
				const struct profile_filter *filter)
{
	size_t index = tables->num_events++;
	struct error *err = NULL;
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
	return err;
}

void python_tables_deinit(struct python_tables *tables)
{
	for (size_t i = 0; i < PYTHON_TABLES_NUM_KEYS; i++) {
		for (size_t k = 0; tables->lists[i] && k < tables->num_events; k++)
			hot_list_deinit(&tables->lists[i][k]);
		free(tables->lists[i]);
	}
	hot_table_deinit(&tables->report.lines);
	hot_table_deinit(&tables->report.functions);
	hot_table_deinit(&tables->report.files);
	source_files_deinit(&tables->sources);
	free(tables->events);
	*tables = (struct python_tables){0};
}
