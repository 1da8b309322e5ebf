// SPDX-License-Identifier: Apache-2.0
// An hour is summed up from its windows, again from all of them if some came late. So its sums are
// exact whatever was sent twice. Before windows are dropped, their hours are summed up; batches of
// that time are refused from then on, since nobody could tell any more whether they are new.
//
// Once the hour of each series is summed up, these sums are summed up to those of all series that
// differ in their labels alone: a service on a thousand hosts has one row for a query of all of
// them. These sums of all labels wait in `open_hours` as others do, under a negative number.
//
// Stacks and names stay: they are small beside windows, and most are still in use.

#include "fleet/store/sqlite/sqlite_retain.h"

#include "base/container/array.h"
#include "base/saturating_sum.h"
#include "fleet/store/sqlite/sqlite_put.h"
#include "fleet/store/sqlite/sqlite_scan.h"
#include "fleet/store/sqlite/store_window.h"

#include <stdlib.h>
#include <string.h>

/** The sums of an hour of one series. */
struct sqlite_hour {
	struct sqlite_file *file;
	struct store_pair *pairs;
	size_t num_pairs, cap_pairs;
	struct named_total sum;
	uint64_t first_ns, end_ns; /* of its windows */
	struct string_builder bytes;
};

static void sqlite_hour_deinit(struct sqlite_hour *hour)
{
	free(hour->pairs);
	string_builder_deinit(&hour->bytes);
}

static struct error *sqlite_hour_add(struct sqlite_hour *hour, struct sqlite_column bytes)
{
	struct store_window window;
	struct store_pair pair;
	struct error *err = NULL;
	store_window_open(&window, bytes.bytes, bytes.size);
	while (!err && store_window_next(&window, &pair)) {
		err = array_reserve(&hour->pairs, &hour->cap_pairs, hour->num_pairs + 1);
		if (!err)
			hour->pairs[hour->num_pairs++] = pair;
	}
	if (!err && window.reader.failed)
		err = sqlite_file_damaged(hour->file, "the packed stacks of a window");
	return err;
}

/** Its windows; of all labels, the sums of each label set. */
static struct error *sqlite_hour_read(struct sqlite_hour *hour, int64_t series, int64_t start)
{
	const enum sqlite_statement statement =
		series < 0 ? SQLITE_EACH_PART_OF_HOUR : SQLITE_EACH_WINDOW;
	struct sqlite_file *file = hour->file;
	const int64_t words[] = {series, start, start + (int64_t)STORE_HOUR_NS};
	size_t num_words = series < 0 ? 2 : ARRAY_SIZE(words);
	bool has_row = false;
	struct error *err = sqlite_file_start_numbers(file, statement, words, num_words);
	while (!err && !(err = sqlite_file_step(file, statement, &has_row)) && has_row) {
		uint64_t first = sqlite_file_amount(file, statement, 0);
		uint64_t end = saturating_sum(first, sqlite_file_amount(file, statement, 1));
		hour->first_ns = first < hour->first_ns ? first : hour->first_ns;
		hour->end_ns = end > hour->end_ns ? end : hour->end_ns;
		hour->sum.count =
			saturating_sum(hour->sum.count, sqlite_file_amount(file, statement, 2));
		hour->sum.weight =
			saturating_sum(hour->sum.weight, sqlite_file_amount(file, statement, 3));
		err = sqlite_hour_add(hour, sqlite_file_bytes(file, statement, 4));
	}
	sqlite_file_end(file, statement);
	return err;
}

static struct error *sqlite_hour_write(struct sqlite_hour *hour, int64_t series, int64_t start)
{
	store_pair_sort(hour->pairs, &hour->num_pairs);
	string_builder_clear(&hour->bytes);
	store_window_pack(hour->pairs, hour->num_pairs, &hour->bytes);
	if (hour->bytes.failed)
		return &error_no_memory;
	const struct sqlite_value values[] = {
		sqlite_value_number(series),
		sqlite_value_number(start),
		sqlite_value_number((int64_t)store_pair_limit(hour->first_ns)),
		sqlite_value_number((int64_t)store_pair_limit(hour->end_ns)),
		sqlite_value_number((int64_t)store_pair_limit(hour->sum.count)),
		sqlite_value_number((int64_t)store_pair_limit(hour->sum.weight)),
		sqlite_value_blob(hour->bytes.text, hour->bytes.length),
	};
	struct error *err =
		sqlite_file_start(hour->file, SQLITE_SET_HOUR, values, ARRAY_SIZE(values));
	return err ? err : sqlite_file_run(hour->file, SQLITE_SET_HOUR);
}

/** The series of all labels that this one is a part of. */
static struct error *sqlite_retain_find_whole(struct sqlite_file *file, int64_t series,
					      int64_t *ret)
{
	bool is_there = false;
	struct error *err = sqlite_file_start_numbers(file, SQLITE_FIND_WHOLE_SERIES, &series, 1);
	if (!err)
		err = sqlite_file_number_of(file, SQLITE_FIND_WHOLE_SERIES, &is_there, ret);
	if (err || is_there)
		return err;
	*ret = -series;
	err = sqlite_file_start_numbers(file, SQLITE_ADD_WHOLE_SERIES, &series, 1);
	return err ? err : sqlite_file_run(file, SQLITE_ADD_WHOLE_SERIES);
}

/** The sums of all labels in the hour are to be made, or made again. */
static struct error *sqlite_retain_open_whole(struct sqlite_file *file, int64_t start,
					      int64_t series)
{
	int64_t whole = 0;
	if (series < 0)
		return NULL;
	struct error *err = sqlite_retain_find_whole(file, series, &whole);
	const int64_t words[] = {start, whole};
	if (!err)
		err = sqlite_file_start_numbers(file, SQLITE_ADD_OPEN_HOUR, words,
						ARRAY_SIZE(words));
	return err ? err : sqlite_file_run(file, SQLITE_ADD_OPEN_HOUR);
}

static struct error *sqlite_retain_sum_up(struct sqlite_file *file, int64_t start, int64_t series)
{
	_cleanup_(sqlite_hour_deinit) struct sqlite_hour hour = {.file = file,
								 .first_ns = UINT64_MAX};
	const int64_t words[] = {start, series};
	struct error *err = NULL;
	// The hour of a damaged row may be any number.
	if (start < 0 || start > INT64_MAX - (int64_t)STORE_HOUR_NS)
		err = sqlite_file_damaged(file, "an hour is out of range");
	if (!err)
		err = sqlite_hour_read(&hour, series, start);
	if (!err)
		err = sqlite_hour_write(&hour, series, start);
	if (!err)
		err = sqlite_file_start_numbers(file, SQLITE_DROP_OPEN_HOUR, words,
						ARRAY_SIZE(words));
	if (!err)
		err = sqlite_file_run(file, SQLITE_DROP_OPEN_HOUR);
	return err ? err : sqlite_retain_open_whole(file, start, series);
}

static struct error *sqlite_retain_sum_first(struct sqlite_file *file,
					     enum sqlite_statement statement, int64_t until,
					     bool *ret_done)
{
	bool has_row = false;
	int64_t hour = 0, series = 0;
	struct error *err = sqlite_file_start_numbers(file, statement, &until, 1);
	if (!err)
		err = sqlite_file_step(file, statement, &has_row);
	if (!err && has_row) {
		hour = sqlite_file_number(file, statement, 0);
		series = sqlite_file_number(file, statement, 1);
	}
	sqlite_file_end(file, statement);
	*ret_done = !has_row;
	return err || !has_row ? err : sqlite_retain_sum_up(file, hour, series);
}

/** One hour of a series, those of all labels at last. @ret_done: there was none left. */
static struct error *sqlite_retain_sum_next(struct sqlite_file *file, int64_t until, bool *ret_done)
{
	struct error *err = sqlite_retain_sum_first(file, SQLITE_EACH_OPEN_HOUR, until, ret_done);
	if (err || !*ret_done)
		return err;
	return sqlite_retain_sum_first(file, SQLITE_EACH_OPEN_WHOLE_HOUR, until, ret_done);
}

struct error *sqlite_retain_roll_up(struct sqlite_file *file, uint64_t until_ns)
{
	if (until_ns > STORE_MAX_NS)
		until_ns = STORE_MAX_NS;
	// Hours below it end at @until_ns or before.
	int64_t until = (int64_t)(until_ns - until_ns % STORE_HOUR_NS);
	bool is_done = false;
	struct error *err = NULL;
	// Each in a transaction of its own: those who put need not wait for all of them.
	while (!err && !is_done) {
		err = sqlite_file_begin(file, true);
		if (!err)
			err = sqlite_file_finish(file,
						 sqlite_retain_sum_next(file, until, &is_done));
	}
	return err;
}

struct sqlite_retain_limits {
	struct sqlite_file *file;
	int64_t windows, hours;
};

static struct error *sqlite_retain_series(void *data, const struct sqlite_series *series)
{
	const struct sqlite_retain_limits *limits = data;
	const int64_t windows[] = {series->number, limits->windows};
	const int64_t hours[] = {series->number, limits->hours};
	struct error *err = sqlite_file_start_numbers(limits->file, SQLITE_DROP_WINDOWS, windows,
						      ARRAY_SIZE(windows));
	if (!err)
		err = sqlite_file_run(limits->file, SQLITE_DROP_WINDOWS);
	if (!err)
		err = sqlite_file_start_numbers(limits->file, SQLITE_DROP_HOURS, hours,
						ARRAY_SIZE(hours));
	return err ? err : sqlite_file_run(limits->file, SQLITE_DROP_HOURS);
}

static struct error *sqlite_retain_drop(struct sqlite_retain_limits *limits)
{
	struct sqlite_file *file = limits->file;
	const char *const name = SQLITE_FIRST_WINDOW_FACT;
	int64_t first_window = 0;
	struct error *err = sqlite_put_get_fact(file, name, &first_window);
	// What has been dropped does not come back.
	if (limits->windows < first_window)
		limits->windows = first_window;
	const struct sqlite_value fact[] = {sqlite_value_text(name, strlen(name)),
					    sqlite_value_number(limits->windows)};
	if (!err)
		err = sqlite_file_start(file, SQLITE_SET_FACT, fact, ARRAY_SIZE(fact));
	if (!err)
		err = sqlite_file_run(file, SQLITE_SET_FACT);
	if (!err)
		err = sqlite_scan_each_series(file, sqlite_retain_series, limits);
	if (!err)
		err = sqlite_file_start_numbers(file, SQLITE_DROP_BATCHES, &limits->windows, 1);
	return err ? err : sqlite_file_run(file, SQLITE_DROP_BATCHES);
}

struct error *sqlite_retain(struct sqlite_file *file, uint64_t windows_ns, uint64_t hours_ns)
{
	windows_ns = windows_ns > STORE_MAX_NS ? STORE_MAX_NS : windows_ns;
	struct sqlite_retain_limits limits = {
		.file = file,
		.windows = (int64_t)(windows_ns - windows_ns % STORE_HOUR_NS),
		.hours = hours_ns > STORE_MAX_NS ? INT64_MAX : (int64_t)hours_ns,
	};
	struct error *err = sqlite_retain_roll_up(file, windows_ns);
	if (!err)
		err = sqlite_file_begin(file, true);
	if (err)
		return err;
	// Between the two, a late batch may have come: its hour is then summed up once more.
	bool is_done = false;
	while (!err && !is_done)
		err = sqlite_retain_sum_next(file, limits.windows, &is_done);
	if (!err)
		err = sqlite_retain_drop(&limits);
	err = sqlite_file_finish(file, err);
	// Pages that are free go back to the file system.
	return err ? err : sqlite_file_execute(file, "PRAGMA incremental_vacuum");
}
