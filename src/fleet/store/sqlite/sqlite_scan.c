// SPDX-License-Identifier: Apache-2.0
// For each series of the query, from the oldest row on:
//
//	before the first window that retain() has kept: sums of hours that begin in the range
//	then, by turns: windows up to the next whole hour that has been summed up, and its sums
//
// Steps of a query that are no whole hours cannot be made of sums of hours; they are made of
// windows, where there are windows.
//
// A query without labels is about all hosts. Of hours that are over, there are sums of all of them
// (sqlite_retain.c), which are taken in the place of those of each.

#include "fleet/store/sqlite/sqlite_scan.h"

#include "base/container/array.h"
#include "base/saturating_sum.h"
#include "fleet/store/sqlite/sqlite_put.h"

#include <stdlib.h>
#include <string.h>

/** @is_missing: set if the text is not in the store. */
static struct error *sqlite_scan_find(struct sqlite_scan *scan, const char *text, bool *is_missing,
				      int64_t *ret)
{
	const struct sqlite_value value = sqlite_value_text(text, strlen(text));
	bool is_there = false;
	struct error *err = sqlite_file_start(scan->file, SQLITE_FIND_STRING, &value, 1);
	if (!err)
		err = sqlite_file_number_of(scan->file, SQLITE_FIND_STRING, &is_there, ret);
	if (!err && !is_there)
		*is_missing = true;
	return err;
}

/** From the first whole hour of the query to the first one with windows that are in no sums. */
static struct error *sqlite_scan_find_whole_hours(struct sqlite_scan *scan)
{
	const int64_t hour = (int64_t)STORE_HOUR_NS;
	uint64_t from = scan->query->from_ns;
	// Without the fact, which a damaged file may lack, no hour has such sums.
	int64_t first = INT64_MAX, open = 0;
	bool has_open = false;
	if (!scan->may_take_hours || scan->query->num_labels || from > STORE_MAX_NS - STORE_HOUR_NS)
		return NULL;
	struct error *err = sqlite_put_get_fact(scan->file, SQLITE_FIRST_WHOLE_HOUR_FACT, &first);
	int64_t begin = ((int64_t)from + hour - 1) / hour * hour;
	scan->whole_from = begin > first ? begin : first;
	if (!err)
		err = sqlite_file_start_numbers(scan->file, SQLITE_NEXT_OPEN_HOUR,
						&scan->whole_from, 1);
	if (!err)
		err = sqlite_file_number_of(scan->file, SQLITE_NEXT_OPEN_HOUR, &has_open, &open);
	int64_t until = (int64_t)scan->until_ns - (int64_t)scan->until_ns % hour;
	scan->whole_until = has_open && open < until ? open : until;
	if (scan->whole_until < scan->whole_from)
		scan->whole_until = scan->whole_from = 0;
	return err;
}

struct error *sqlite_scan_init(struct sqlite_scan *scan, struct sqlite_file *file,
			       const struct store_query *query)
{
	*scan = (struct sqlite_scan){
		.file = file,
		.query = query,
		.until_ns = query->until_ns && query->until_ns < STORE_MAX_NS ? query->until_ns
									      : STORE_MAX_NS,
		.may_take_hours = query->step_ns % STORE_HOUR_NS == 0,
		.labels = calloc(2 * query->num_labels + 1, sizeof(*scan->labels)),
	};
	struct error *err = scan->labels ? NULL : &error_no_memory;
	if (!err)
		err = sqlite_put_get_fact(file, SQLITE_FIRST_WINDOW_FACT, &scan->first_window);
	if (!err && query->service)
		err = sqlite_scan_find(scan, query->service, &scan->is_empty, &scan->service);
	if (!err && query->event)
		err = sqlite_scan_find(scan, query->event, &scan->has_no_event, &scan->event);
	for (size_t i = 0; !err && i < query->num_labels; i++) {
		err = sqlite_scan_find(scan, query->labels[i].key, &scan->is_empty,
				       &scan->labels[2 * i]);
		if (!err)
			err = sqlite_scan_find(scan, query->labels[i].value, &scan->is_empty,
					       &scan->labels[2 * i + 1]);
	}
	if (scan->first_window < 0)
		scan->first_window = 0;
	return err ? err : sqlite_scan_find_whole_hours(scan);
}

void sqlite_scan_deinit(struct sqlite_scan *scan)
{
	free(scan->labels);
	*scan = (struct sqlite_scan){0};
}

struct error *sqlite_scan_has_labels(struct sqlite_scan *scan, int64_t label_set, bool *ret)
{
	bool has_all = true;
	struct error *err = NULL;
	for (size_t i = 0; !err && has_all && i < scan->query->num_labels; i++) {
		const int64_t words[] = {scan->labels[2 * i], scan->labels[2 * i + 1], label_set};
		int64_t one;
		err = sqlite_file_start_numbers(scan->file, SQLITE_HAS_LABEL, words,
						ARRAY_SIZE(words));
		if (!err)
			err = sqlite_file_number_of(scan->file, SQLITE_HAS_LABEL, &has_all, &one);
	}
	*ret = has_all;
	return err;
}

static struct error *sqlite_scan_windows(struct sqlite_scan *scan,
					 const struct sqlite_series *series, int64_t from,
					 int64_t until)
{
	if (from >= until)
		return NULL;
	struct sqlite_file *file = scan->file;
	const enum sqlite_statement statement =
		scan->has_no_pairs ? SQLITE_EACH_WINDOW_SUM : SQLITE_EACH_WINDOW;
	const int64_t words[] = {series->number, from, until};
	bool has_row = false;
	struct error *err = sqlite_file_start_numbers(file, statement, words, ARRAY_SIZE(words));
	while (!err && !(err = sqlite_file_step(file, statement, &has_row)) && has_row) {
		uint64_t start = sqlite_file_amount(file, statement, 0);
		const struct sqlite_scan_row row = {
			.series = series,
			.start_ns = start,
			.first_ns = start,
			.end_ns = saturating_sum(start, sqlite_file_amount(file, statement, 1)),
			.sum = {sqlite_file_amount(file, statement, 2),
				sqlite_file_amount(file, statement, 3)},
			.statement = statement,
			.pairs = 4,
		};
		err = scan->visit(scan->data, &row);
	}
	sqlite_file_end(file, statement);
	return err;
}

/** @next: where windows would go on, behind the hour; NULL: there are none. */
static struct error *sqlite_scan_hours(struct sqlite_scan *scan, const struct sqlite_series *series,
				       enum sqlite_statement statement, int64_t from, int64_t until,
				       int64_t *next)
{
	struct sqlite_file *file = scan->file;
	const int64_t words[] = {series->number, from, until};
	bool has_row = false;
	struct error *err = sqlite_file_start_numbers(file, statement, words, ARRAY_SIZE(words));
	while (!err && !(err = sqlite_file_step(file, statement, &has_row)) && has_row) {
		const struct sqlite_scan_row row = {
			.series = series,
			.start_ns = sqlite_file_amount(file, statement, 0),
			.first_ns = sqlite_file_amount(file, statement, 1),
			.end_ns = sqlite_file_amount(file, statement, 2),
			.sum = {sqlite_file_amount(file, statement, 3),
				sqlite_file_amount(file, statement, 4)},
			.statement = statement,
			.pairs = 5,
		};
		if (next)
			err = sqlite_scan_windows(scan, series, *next, (int64_t)row.start_ns);
		if (!err)
			err = scan->visit(scan->data, &row);
		if (next)
			*next = (int64_t)(row.start_ns + STORE_HOUR_NS);
	}
	sqlite_file_end(file, statement);
	return err;
}

static struct error *sqlite_scan_part(struct sqlite_scan *scan, const struct sqlite_series *series,
				      int64_t from, int64_t until)
{
	const int64_t hour = (int64_t)STORE_HOUR_NS;
	int64_t dropped_until = until < scan->first_window ? until : scan->first_window;
	struct error *err = NULL;
	if (from < dropped_until)
		err = sqlite_scan_hours(scan, series, SQLITE_EACH_HOUR_BEFORE, from, dropped_until,
					NULL);
	int64_t next = from > scan->first_window ? from : scan->first_window;
	if (!err && scan->may_take_hours && next < until) {
		int64_t first_whole = next % hour ? next - next % hour + hour : next;
		err = sqlite_scan_hours(scan, series, SQLITE_EACH_HOUR, first_whole,
					until - until % hour, &next);
	}
	return err ? err : sqlite_scan_windows(scan, series, next, until);
}

static struct error *sqlite_scan_rows(struct sqlite_scan *scan, const struct sqlite_series *series)
{
	int64_t until = (int64_t)scan->until_ns;
	int64_t from =
		scan->query->from_ns > STORE_MAX_NS ? INT64_MAX : (int64_t)scan->query->from_ns;
	if (series->label_set == SQLITE_ALL_LABELS)
		return sqlite_scan_hours(scan, series, SQLITE_EACH_HOUR_BEFORE, scan->whole_from,
					 scan->whole_until, NULL);
	if (scan->whole_from == scan->whole_until)
		return sqlite_scan_part(scan, series, from, until);
	struct error *err = sqlite_scan_part(scan, series, from, scan->whole_from);
	return err ? err : sqlite_scan_part(scan, series, scan->whole_until, until);
}

static struct sqlite_series sqlite_scan_read_series(struct sqlite_file *file)
{
	struct sqlite_series series;
	int64_t *const columns[] = {
		&series.number, &series.service,   &series.label_set, &series.event,
		&series.unit,   &series.model,     &series.language,  &series.flags,
		&series.period, &series.frequency,
	};
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		*columns[i] = sqlite_file_number(file, SQLITE_EACH_SERIES, (int)i);
	return series;
}

struct error *sqlite_scan_each_series(struct sqlite_file *file, sqlite_scan_series_fn visit,
				      void *data)
{
	bool has_row = false;
	struct error *err = sqlite_file_start(file, SQLITE_EACH_SERIES, NULL, 0);
	while (!err && !(err = sqlite_file_step(file, SQLITE_EACH_SERIES, &has_row)) && has_row) {
		const struct sqlite_series series = sqlite_scan_read_series(file);
		err = visit(data, &series);
	}
	sqlite_file_end(file, SQLITE_EACH_SERIES);
	return err;
}

static struct error *sqlite_scan_visit_series(void *data, const struct sqlite_series *series)
{
	struct sqlite_scan *scan = data;
	bool is_wanted = (!scan->query->service || series->service == scan->service) &&
			 (!scan->query->event || series->event == scan->event);
	struct error *err = NULL;
	if (is_wanted)
		err = sqlite_scan_has_labels(scan, series->label_set, &is_wanted);
	return err || !is_wanted ? err : sqlite_scan_rows(scan, series);
}

struct error *sqlite_scan_run(struct sqlite_scan *scan, sqlite_scan_fn visit, void *data)
{
	scan->visit = visit;
	scan->data = data;
	return scan->is_empty || scan->has_no_event
		       ? NULL
		       : sqlite_scan_each_series(scan->file, sqlite_scan_visit_series, scan);
}
