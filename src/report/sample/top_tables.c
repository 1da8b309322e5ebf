// SPDX-License-Identifier: Apache-2.0
// Every interval of `top` is a small profile. Its hot lists go into rolling lists, one per event
// and kind of row, in which older intervals count less (rolling_list.h); sums since the start would
// still show what was hot an hour ago. Only the items and their weights are kept: names are looked
// up in the newest profile when the tables are printed.
//
// Tables of interpreted code show all events side by side; native functions have one table per
// event.

#include "report/sample/top_tables.h"

#include "base/cleanup.h"
#include "profile/interpreted/interpreted_stacks.h"
#include "view/interpreted_report.h"
#include "view/text/report_text.h"

#include <stdlib.h>

enum { NUM_INTERPRETED_TABLES = 2 };

struct error *top_tables_init(struct top_tables *tables, size_t num_events, const char *sysroots)
{
	tables->sources = source_files_create(sysroots);
	tables->lists = calloc(num_events + 1, sizeof(*tables->lists));
	tables->interpreted_lines = calloc(num_events + 1, sizeof(*tables->interpreted_lines));
	tables->interpreted_functions =
		calloc(num_events + 1, sizeof(*tables->interpreted_functions));
	if (!tables->lists || !tables->interpreted_lines || !tables->interpreted_functions)
		return &error_no_memory;
	tables->num_lists = num_events;
	return NULL;
}

void top_tables_deinit(struct top_tables *tables)
{
	for (size_t i = 0; i < tables->num_lists; i++) {
		rolling_list_deinit(&tables->lists[i]);
		rolling_list_deinit(&tables->interpreted_lines[i]);
		rolling_list_deinit(&tables->interpreted_functions[i]);
	}
	free(tables->lists);
	free(tables->interpreted_lines);
	free(tables->interpreted_functions);
	source_files_deinit(&tables->sources);
	*tables = (struct top_tables){0};
}

static struct error *top_tables_add_list(struct rolling_list *rolling,
					 const struct named_profile *interval, enum hot_key key,
					 const struct profile_filter *filter, double keep)
{
	_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
	struct error *err = hot_list_create(interval, key, HOT_BY_SELF, filter, &list);
	return err ? err : rolling_list_add(rolling, &list, keep);
}

/**
 * A list of its own for each kind of row: by line and by function the same samples are summed up
 * differently, and one cannot be made of the other.
 */
static struct error *top_tables_add_event(struct top_tables *tables,
					  const struct named_profile *interval, uint32_t event,
					  double keep)
{
	struct profile_criteria criteria = PROFILE_CRITERIA_ALL;
	criteria.event = event;
	// What is in use now stands for itself.
	if (interval->events[event].is_state)
		keep = 0;
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	struct error *err = profile_filter_create(interval, &criteria, &filter);
	if (!err)
		err = top_tables_add_list(&tables->lists[event], interval, HOT_FUNCTION, filter,
					  keep);
	if (!err && tables->has_interpreted)
		err = top_tables_add_list(&tables->interpreted_lines[event], interval,
					  HOT_INTERPRETED_LINE, filter, keep);
	if (!err && tables->has_interpreted)
		err = top_tables_add_list(&tables->interpreted_functions[event], interval,
					  HOT_INTERPRETED_FUNCTION, filter, keep);
	return err;
}

struct error *top_tables_add(struct top_tables *tables, const struct named_profile *interval,
			     double keep)
{
	// Who may read a source file depends on the processes that name it, and they come and go.
	struct error *err = source_files_set_profile(&tables->sources, interval);
	// Stays true: an interval in which the interpreter was idle would make its tables vanish.
	tables->has_interpreted = tables->has_interpreted || interpreted_stacks_are_there(interval);
	for (uint32_t i = 0; !err && i < tables->num_lists; i++)
		err = top_tables_add_event(tables, interval, i, keep);
	return err;
}

void top_tables_clear(struct top_tables *tables)
{
	for (size_t i = 0; i < tables->num_lists; i++) {
		rolling_list_clear(&tables->lists[i]);
		rolling_list_clear(&tables->interpreted_lines[i]);
		rolling_list_clear(&tables->interpreted_functions[i]);
	}
}

static bool shows_interpreted(const struct top_tables *tables)
{
	return tables->has_interpreted && !tables->hides_user;
}

size_t top_tables_num(const struct top_tables *tables)
{
	return tables->num_lists + (shows_interpreted(tables) ? NUM_INTERPRETED_TABLES : 0);
}

struct wanted {
	const struct top_tables *tables;
	const struct named_profile *profile;
};

/** The keys k and u hide rows, not samples: percentages stay those of all samples. */
static bool top_tables_is_wanted(const void *context, uint32_t function)
{
	const struct wanted *wanted = context;
	bool is_kernel = wanted->profile->functions[function].kind == FRAME_KERNEL;
	return is_kernel ? !wanted->tables->hides_kernel : !wanted->tables->hides_user;
}

/** Tolerates NULL, as the lists may be what could not be allocated. */
static void hot_lists_free(struct hot_list *lists, size_t num_lists)
{
	for (size_t i = 0; lists && i < num_lists; i++)
		hot_list_deinit(&lists[i]);
	free(lists);
}

/** The events' lists side by side. @ret: set only on success. */
static struct error *join_lists(const struct rolling_list *rolling, size_t num_lists,
				struct hot_table *ret)
{
	struct hot_list *lists = calloc(num_lists + 1, sizeof(*lists));
	struct error *err = lists ? NULL : &error_no_memory;
	for (size_t i = 0; !err && i < num_lists; i++)
		err = rolling_list_show(&rolling[i], NULL, NULL, &lists[i]);
	if (!err)
		err = hot_table_create(lists, num_lists, ret);
	hot_lists_free(lists, num_lists);
	return err;
}

static struct error *print_interpreted_tables(const struct interpreted_report *report,
					      size_t max_rows, FILE *stream)
{
	struct error *err = interpreted_report_print_lines(report, max_rows, stream);
	fputc('\n', stream);
	if (!err)
		err = interpreted_report_print_functions(report, max_rows, stream);
	fputc('\n', stream);
	return err;
}

static struct error *top_tables_print_interpreted(struct top_tables *tables,
						  const struct named_profile *profile,
						  size_t max_rows, FILE *stream)
{
	_cleanup_(hot_table_deinit) struct hot_table lines = HOT_TABLE_INIT;
	_cleanup_(hot_table_deinit) struct hot_table functions = HOT_TABLE_INIT;
	_cleanup_(compiled_lines_deinit) struct compiled_lines compiled = COMPILED_LINES_INIT;
	_cleanup_free_ uint32_t *events = calloc(tables->num_lists + 1, sizeof(*events));
	struct error *err = events ? NULL : &error_no_memory;
	// Column i of the joined tables is event i: `top` shows every event that it samples.
	for (uint32_t i = 0; events && i < tables->num_lists; i++)
		events[i] = i;
	if (!err)
		err = join_lists(tables->interpreted_lines, tables->num_lists, &lines);
	if (!err)
		err = join_lists(tables->interpreted_functions, tables->num_lists, &functions);
	if (!err)
		err = compiled_lines_create(profile, NULL, 0, &compiled);
	if (err)
		return err;
	const struct interpreted_report report = {
		.profile = profile,
		.events = events,
		.lines = lines,
		.functions = functions,
		.compiled = compiled,
		.get_line = source_files_line,
		.context = &tables->sources,
		.layout = tables->layout,
	};
	return print_interpreted_tables(&report, max_rows, stream);
}

struct error *top_tables_print(struct top_tables *tables, const struct named_profile *profile,
			       size_t max_rows, FILE *stream)
{
	const struct wanted wanted = {tables, profile};
	struct error *err = NULL;
	size_t max_native_rows = max_rows;
	if (shows_interpreted(tables)) {
		err = top_tables_print_interpreted(tables, profile, max_rows, stream);
		// Beside lines of interpreted code, native functions are mostly those of the
		// interpreter: a few rows will do.
		if (tables->max_native_rows && (!max_rows || max_rows > tables->max_native_rows))
			max_native_rows = tables->max_native_rows;
	}
	for (uint32_t i = 0; !err && i < tables->num_lists; i++) {
		_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
		err = rolling_list_show(&tables->lists[i], top_tables_is_wanted, &wanted, &list);
		if (err)
			break;
		report_text_print_header(profile, i, list.whole, stream);
		fputc('\n', stream);
		err = report_text_print_hot(profile, &list, NULL, i, max_native_rows,
					    tables->layout, stream);
	}
	return err;
}
