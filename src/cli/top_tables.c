// SPDX-License-Identifier: Apache-2.0

#include "cli/top_tables.h"

#include "base/cleanup.h"
#include "profile/python_stacks.h"
#include "view/python_report.h"
#include "view/report_text.h"

#include <stdlib.h>

struct error *top_tables_init(struct top_tables *tables, size_t num_events, const char *sysroots)
{
	tables->sources = source_files_create(sysroots);
	tables->lists = calloc(num_events + 1, sizeof(*tables->lists));
	tables->python = calloc(num_events + 1, sizeof(*tables->python));
	if (!tables->lists || !tables->python)
		return &error_no_memory;
	tables->num_lists = num_events;
	return NULL;
}

void top_tables_deinit(struct top_tables *tables)
{
	for (size_t i = 0; i < tables->num_lists; i++) {
		rolling_list_deinit(&tables->lists[i]);
		rolling_list_deinit(&tables->python[i]);
	}
	free(tables->lists);
	free(tables->python);
	source_files_deinit(&tables->sources);
	*tables = (struct top_tables){0};
}

static struct error *add_list(struct rolling_list *rolling, const struct named_profile *interval,
			      enum hot_key key, const struct profile_filter *filter, double keep)
{
	_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
	struct error *err = hot_list_create(interval, key, HOT_BY_SELF, filter, &list);
	return err ? err : rolling_list_add(rolling, &list, keep);
}

static struct error *add_event(struct top_tables *tables, const struct named_profile *interval,
			       uint32_t event, double keep)
{
	struct profile_criteria criteria = PROFILE_CRITERIA_ALL;
	criteria.event = event;
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	struct error *err = profile_filter_create(interval, &criteria, &filter);
	if (!err)
		err = add_list(&tables->lists[event], interval, HOT_FUNCTION, filter, keep);
	if (!err && tables->has_python)
		err = add_list(&tables->python[event], interval, HOT_PYTHON_LINE, filter, keep);
	return err;
}

struct error *top_tables_add(struct top_tables *tables, const struct named_profile *interval,
			     double keep)
{
	struct error *err = NULL;
	tables->has_python = tables->has_python || python_stacks_are_there(interval);
	for (uint32_t i = 0; !err && i < tables->num_lists; i++)
		err = add_event(tables, interval, i, keep);
	return err;
}

void top_tables_clear(struct top_tables *tables)
{
	for (size_t i = 0; i < tables->num_lists; i++) {
		rolling_list_clear(&tables->lists[i]);
		rolling_list_clear(&tables->python[i]);
	}
}

static bool shows_python(const struct top_tables *tables)
{
	return tables->has_python && !tables->hides_user;
}

size_t top_tables_num(const struct top_tables *tables)
{
	return tables->num_lists + shows_python(tables);
}

struct wanted {
	const struct top_tables *tables;
	const struct named_profile *profile;
};

static bool is_wanted(const void *context, uint32_t function)
{
	const struct wanted *wanted = context;
	bool is_kernel = wanted->profile->functions[function].kind == FRAME_KERNEL;
	return is_kernel ? !wanted->tables->hides_kernel : !wanted->tables->hides_user;
}

static void hot_lists_free(struct hot_list *lists, size_t num_lists)
{
	for (size_t i = 0; lists && i < num_lists; i++)
		hot_list_deinit(&lists[i]);
	free(lists);
}

static struct error *print_lines(struct top_tables *tables, const struct named_profile *profile,
				 struct hot_list *lists, uint32_t *events, size_t max_rows,
				 FILE *stream)
{
	struct error *err = NULL;
	for (uint32_t i = 0; !err && i < tables->num_lists; i++) {
		events[i] = i;
		err = rolling_list_show(&tables->python[i], NULL, NULL, &lists[i]);
	}
	_cleanup_(hot_table_deinit) struct hot_table lines = HOT_TABLE_INIT;
	if (!err)
		err = hot_table_create(lists, tables->num_lists, &lines);
	if (err)
		return err;
	_cleanup_(python_compiled_deinit) struct python_compiled compiled = PYTHON_COMPILED_INIT;
	err = python_compiled_create(profile, NULL, 0, &compiled);
	if (err)
		return err;
	const struct python_report report = {
		.profile = profile,
		.events = events,
		.lines = lines,
		.compiled = compiled,
		.get_line = source_files_line,
		.context = &tables->sources,
		.layout = tables->layout,
	};
	return python_report_print_lines(&report, max_rows, stream);
}

static struct error *print_python(struct top_tables *tables, const struct named_profile *profile,
				  size_t max_rows, FILE *stream)
{
	if (!shows_python(tables))
		return NULL;
	_cleanup_free_ uint32_t *events = calloc(tables->num_lists + 1, sizeof(*events));
	struct hot_list *lists = calloc(tables->num_lists + 1, sizeof(*lists));
	struct error *err = events && lists ? NULL : &error_no_memory;
	fputc('\n', stream);
	if (!err)
		err = print_lines(tables, profile, lists, events, max_rows, stream);
	hot_lists_free(lists, tables->num_lists);
	return err;
}

struct error *top_tables_print(struct top_tables *tables, const struct named_profile *profile,
			       size_t max_rows, FILE *stream)
{
	const struct wanted wanted = {tables, profile};
	struct error *err = NULL;
	for (uint32_t i = 0; !err && i < tables->num_lists; i++) {
		_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
		err = rolling_list_show(&tables->lists[i], is_wanted, &wanted, &list);
		if (err)
			return err;
		report_text_print_header(profile, i, list.whole, stream);
		fputc('\n', stream);
		err = report_text_print_hot(profile, &list, max_rows, tables->layout, stream);
	}
	return err ? err : print_python(tables, profile, max_rows, stream);
}
