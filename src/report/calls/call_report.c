// SPDX-License-Identifier: Apache-2.0
// The kernel counts by thread and call. Here the threads of a call are summed up, the call with the
// most time comes first, and the lines of samples are shown below, as parts of what the samples of
// the call stand for: counts are exact, parts are not.

#include "report/calls/call_report.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/text/string_builder.h"
#include "profile/hot/hot_label.h"
#include "view/layout/decimal.h"
#include "view/layout/short_path.h"
#include "view/layout/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALLERS_PER_CALL = 3, CALLS_WITH_CALLERS = 15, JSON_CALLERS = 20, NS_PER_US = 1000 };

static const double ns_per_second = 1e9;

/** All threads of a call. */
struct call_sum {
	char name[48];
	struct call_row all;
	size_t first, num; // of the sorted rows
};

struct call_sums {
	struct call_row *rows; // of the table, by call
	struct call_sum *items;
	size_t num_items;
};

static void call_sums_deinit(struct call_sums *sums)
{
	free(sums->rows);
	free(sums->items);
}

static int call_row_by_call(const void *left, const void *right)
{
	const struct call_row *a = left, *b = right;
	if (a->is_foreign != b->is_foreign)
		return a->is_foreign ? 1 : -1;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return (a->tid > b->tid) - (a->tid < b->tid);
}

static int call_sum_by_time(const void *left, const void *right)
{
	const struct call_sum *a = left, *b = right;
	if (a->all.total_ns != b->all.total_ns)
		return a->all.total_ns < b->all.total_ns ? 1 : -1;
	return strcmp(a->name, b->name);
}

static void call_sum_begin(struct call_sum *sum, const struct call_row *row, size_t first)
{
	*sum = (struct call_sum){.first = first};
	sum->all.number = row->number;
	sum->all.is_foreign = row->is_foreign;
	if (row->name)
		snprintf(sum->name, sizeof(sum->name), "%s", row->name);
	else
		snprintf(sum->name, sizeof(sum->name), "%scall %" PRIu32,
			 row->is_foreign ? "32-bit " : "", row->number);
}

static void call_sum_add(struct call_sum *sum, const struct call_row *row)
{
	struct call_row *all = &sum->all;
	sum->num++;
	all->num_calls += row->num_calls;
	all->num_errors += row->num_errors;
	all->num_unreturned += row->num_unreturned;
	all->unreturned_ns += row->unreturned_ns;
	all->total_ns += row->total_ns;
	all->waited_ns += row->waited_ns;
	if (row->max_ns > all->max_ns)
		all->max_ns = row->max_ns;
	for (size_t i = 0; i < CALL_ROW_BUCKETS; i++)
		all->histogram[i] += row->histogram[i];
}

static struct error *call_sums_init(struct call_sums *sums, const struct call_table *table)
{
	sums->rows = calloc(table->num_rows + 1, sizeof(*sums->rows));
	sums->items = calloc(table->num_rows + 1, sizeof(*sums->items));
	if (!sums->rows || !sums->items)
		return &error_no_memory;
	if (table->num_rows)
		memcpy(sums->rows, table->rows, table->num_rows * sizeof(*sums->rows));
	qsort(sums->rows, table->num_rows, sizeof(*sums->rows), call_row_by_call);
	for (size_t i = 0; i < table->num_rows; i++) {
		const struct call_row *row = &sums->rows[i];
		if (i == 0 || row->number != row[-1].number ||
		    row->is_foreign != row[-1].is_foreign)
			call_sum_begin(&sums->items[sums->num_items++], row, i);
		call_sum_add(&sums->items[sums->num_items - 1], row);
	}
	qsort(sums->items, sums->num_items, sizeof(*sums->items), call_sum_by_time);
	return NULL;
}

static void call_report_add_times(struct table *table, const struct call_row *all)
{
	enum { DECIMALS = 3 };
	double mean = all->num_calls ? (double)all->total_ns / (double)all->num_calls : 0;
	table_add_double(table, (double)all->total_ns / ns_per_second, DECIMALS);
	table_add_double(table, (double)all->waited_ns / ns_per_second, DECIMALS);
	table_add_double(table, mean / NS_PER_US, DECIMALS);
	table_add_double(table, (double)all->max_ns / NS_PER_US, 1);
}

static struct error *call_report_print_counts(const struct call_report *report,
					      const struct call_sums *sums,
					      const struct output *output)
{
	static const struct table_column columns[] = {
		{"calls", TABLE_RIGHT},      {"errors", TABLE_RIGHT},  {"seconds", TABLE_RIGHT},
		{"waiting", TABLE_RIGHT},    {"mean us", TABLE_RIGHT}, {"max us", TABLE_RIGHT},
		{"system call", TABLE_LEFT},
	};
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(columns, ARRAY_SIZE(columns), &table);
	if (err)
		return err;
	struct call_row all = {0};
	size_t num_shown = 0;
	for (size_t i = 0; i < sums->num_items; i++) {
		const struct call_sum *sum = &sums->items[i];
		all.num_calls += sum->all.num_calls;
		all.num_errors += sum->all.num_errors;
		all.total_ns += sum->all.total_ns;
		all.waited_ns += sum->all.waited_ns;
		if (sum->all.max_ns > all.max_ns)
			all.max_ns = sum->all.max_ns;
		if (!sum->all.num_calls || num_shown == report->max_rows)
			continue;
		num_shown++;
		table_add_u64(table, sum->all.num_calls);
		table_add_u64(table, sum->all.num_errors);
		call_report_add_times(table, &sum->all);
		table_add_string(table, sum->name);
	}
	table_add_u64(table, all.num_calls);
	table_add_u64(table, all.num_errors);
	call_report_add_times(table, &all);
	table_add_string(table, "total");
	err = table_check(table);
	if (!err)
		table_print(table, output->narrow, output->text);
	return err;
}

/** "shop.py:11", "main.c:5"; a place without a line has the module's name. */
static struct error *call_report_name_place(const struct call_report *report,
					    const struct short_paths *paths, uint32_t index,
					    struct string_builder *line, const char **ret_function)
{
	const struct named_profile *profile = report->places->profile;
	if (index == NAMED_NONE) {
		string_builder_append(line, "[unknown]");
		*ret_function = "";
		return line->failed ? &error_no_memory : NULL;
	}
	const struct named_frame *frame = &profile->frames[index];
	const struct named_function *function = &profile->functions[frame->function];
	*ret_function = named_profile_text(profile, function->name);
	if (function->kind == FRAME_INTERPRETED) {
		string_builder_append(line, short_path(paths, frame->file));
		if (frame->line)
			string_builder_appendf(line, ":%" PRIu32, frame->line);
	} else if (frame->line) {
		const char *file = named_profile_text(profile, frame->file);
		const char *slash = strrchr(file, '/');
		string_builder_appendf(line, "%s:%" PRIu32, slash ? slash + 1 : file, frame->line);
	} else if (function->module != NAMED_NONE) {
		string_builder_append(
			line, named_profile_text(profile, profile->modules[function->module].name));
	}
	return line->failed ? &error_no_memory : NULL;
}

static int call_place_compare(const void *left, const void *right, enum call_event event)
{
	const struct call_place *a = *(const struct call_place *const *)left,
				*b = *(const struct call_place *const *)right;
	uint64_t x = a->weights[event], y = b->weights[event];
	return x != y ? (x < y ? 1 : -1) : (a > b) - (a < b);
}

static int call_place_by_count(const void *left, const void *right)
{
	return call_place_compare(left, right, CALL_EVENT_COUNT);
}

static int call_place_by_wait(const void *left, const void *right)
{
	return call_place_compare(left, right, CALL_EVENT_WAIT);
}

static int call_place_by_wake(const void *left, const void *right)
{
	return call_place_compare(left, right, CALL_EVENT_WAKE);
}

/** Those with something of the event. @call: NULL for all. @ret: room for all places. */
static size_t call_report_sort(const struct call_report *report, const char *call,
			       enum call_event event, const struct call_place **ret)
{
	static int (*const compare[CALL_NUM_EVENTS])(const void *, const void *) = {
		[CALL_EVENT_COUNT] = call_place_by_count,
		[CALL_EVENT_TIME] = call_place_by_count,
		[CALL_EVENT_WAIT] = call_place_by_wait,
		[CALL_EVENT_WAKE] = call_place_by_wake,
	};
	const struct call_places *places = report->places;
	size_t num = 0;
	for (size_t i = 0; i < places->num_items; i++)
		if (places->items[i].weights[event] &&
		    (!call || call_place_is_of(places, &places->items[i], call)))
			ret[num++] = &places->items[i];
	qsort(ret, num, sizeof(*ret), compare[event]);
	return num;
}

static uint64_t call_report_sum(const struct call_place *const *items, size_t num,
				enum call_event event)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < num; i++)
		sum += items[i]->weights[event];
	return sum;
}

static double percent_of(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

/** The report with what is made once for all its tables. */
struct call_view {
	const struct call_report *report;
	const struct call_sums *sums;
	const struct short_paths *paths;
	const struct call_place **sorted; // room for all places
};

static struct error *call_view_add_callers(const struct call_view *view, const char *call,
					   struct table *table)
{
	size_t num = call_report_sort(view->report, call, CALL_EVENT_COUNT, view->sorted);
	uint64_t calls = call_report_sum(view->sorted, num, CALL_EVENT_COUNT);
	uint64_t time = call_report_sum(view->sorted, num, CALL_EVENT_TIME);
	struct error *err = NULL;
	for (size_t i = 0; !err && i < num && i < CALLERS_PER_CALL; i++) {
		const struct call_place *place = view->sorted[i];
		_cleanup_(string_builder_deinit) struct string_builder line = STRING_BUILDER_INIT;
		const char *function;
		err = call_report_name_place(view->report, view->paths, place->frame, &line,
					     &function);
		table_add_string(table,
				 named_profile_text(view->report->places->profile, place->call));
		table_add_double(table, percent_of(place->weights[CALL_EVENT_COUNT], calls), 1);
		table_add_double(table, percent_of(place->weights[CALL_EVENT_TIME], time), 1);
		table_add_u64(table, place->num_samples);
		table_add_string(table, string_builder_peek(&line));
		table_add_string(table, function);
	}
	return err;
}

static struct error *call_view_print_callers(const struct call_view *view,
					     const struct output *output)
{
	static const struct table_column columns[] = {
		{"system call", TABLE_LEFT}, {"calls %", TABLE_RIGHT}, {"time %", TABLE_RIGHT},
		{"samples", TABLE_RIGHT},    {"line", TABLE_LEFT},     {"function", TABLE_LEFT},
	};
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(columns, ARRAY_SIZE(columns), &table);
	for (size_t i = 0; !err && i < view->sums->num_items && i < CALLS_WITH_CALLERS; i++)
		if (view->sums->items[i].all.num_calls)
			err = call_view_add_callers(view, view->sums->items[i].name, table);
	if (!err)
		err = table_check(table);
	if (err || !table_num_rows(table))
		return err;
	fputc('\n', output->text);
	table_print(table, output->narrow, output->text);
	return NULL;
}

static struct error *call_view_print_waits(const struct call_view *view,
					   const struct output *output)
{
	static const struct table_column columns[] = {
		{"seconds", TABLE_RIGHT}, {"wait %", TABLE_RIGHT},  {"waits for", TABLE_LEFT},
		{"line", TABLE_LEFT},     {"function", TABLE_LEFT}, {"system call", TABLE_LEFT},
		{"lock", TABLE_LEFT},
	};
	const struct named_profile *profile = view->report->places->profile;
	size_t num = call_report_sort(view->report, NULL, CALL_EVENT_WAIT, view->sorted);
	uint64_t whole = call_report_sum(view->sorted, num, CALL_EVENT_WAIT);
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(columns, ARRAY_SIZE(columns), &table);
	for (size_t i = 0; !err && i < num && i < view->report->max_rows; i++) {
		const struct call_place *place = view->sorted[i];
		uint64_t waited = place->weights[CALL_EVENT_WAIT];
		_cleanup_(string_builder_deinit) struct string_builder line = STRING_BUILDER_INIT;
		const char *function;
		err = call_report_name_place(view->report, view->paths, place->frame, &line,
					     &function);
		table_add_double(table, (double)waited / ns_per_second, 3);
		table_add_double(table, percent_of(waited, whole), 1);
		table_add_string(table, place->kind);
		table_add_string(table, string_builder_peek(&line));
		table_add_string(table, function);
		table_add_string(table, named_profile_text(profile, place->call));
		table_add_string(table, named_profile_text(profile, place->other));
	}
	if (!err)
		err = table_check(table);
	if (err)
		return err;
	if (table_num_rows(table))
		table_print(table, output->narrow, output->text);
	else
		fputs("no waiting in system calls\n", output->text);
	return NULL;
}

static void call_view_add_wake(const struct call_view *view, const struct call_place *place,
			       const char *line, const char *function, struct table *table)
{
	const struct named_profile *profile = view->report->places->profile;
	const struct named_thread *thread = &profile->threads[place->thread];
	table_add_double(table, (double)place->weights[CALL_EVENT_WAKE] / ns_per_second, 3);
	table_add_u64(table, place->num_samples);
	table_add_u32(table, thread->tid);
	table_add_string(table, named_profile_text(profile, thread->name));
	table_add_string(table, line);
	table_add_string(table, function);
	table_add_string(table, named_profile_text(profile, place->call));
	table_add_string(table, named_profile_text(profile, place->other));
}

/** Which threads of the target ended the waits of others. */
static struct error *call_view_print_wakes(const struct call_view *view,
					   const struct output *output)
{
	static const struct table_column columns[] = {
		{"seconds", TABLE_RIGHT},    {"samples", TABLE_RIGHT}, {"tid", TABLE_RIGHT},
		{"thread", TABLE_LEFT},      {"line", TABLE_LEFT},     {"function", TABLE_LEFT},
		{"system call", TABLE_LEFT}, {"wakes", TABLE_LEFT},
	};
	size_t num = call_report_sort(view->report, NULL, CALL_EVENT_WAKE, view->sorted);
	if (!num)
		return NULL;
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(columns, ARRAY_SIZE(columns), &table);
	for (size_t i = 0; !err && i < num && i < view->report->max_rows; i++) {
		_cleanup_(string_builder_deinit) struct string_builder line = STRING_BUILDER_INIT;
		const char *function;
		err = call_report_name_place(view->report, view->paths, view->sorted[i]->frame,
					     &line, &function);
		call_view_add_wake(view, view->sorted[i], string_builder_peek(&line), function,
				   table);
	}
	if (!err)
		err = table_check(table);
	if (err)
		return err;
	fputs("\nwho ends the waits of other threads:\n\n", output->text);
	table_print(table, output->narrow, output->text);
	return NULL;
}

static void call_view_write_counts(const struct call_row *row, struct json_writer *json)
{
	json_key_u64(json, "calls", row->num_calls);
	json_key_u64(json, "errors", row->num_errors);
	json_key_u64(json, "unreturned", row->num_unreturned);
	json_key_u64(json, "unreturned_ns", row->unreturned_ns);
	json_key_u64(json, "total_ns", row->total_ns);
	json_key_u64(json, "waited_ns", row->waited_ns);
	json_key_u64(json, "max_ns", row->max_ns);
}

static void call_view_write_histogram(const struct call_row *row, struct json_writer *json)
{
	json_key(json, "histogram");
	json_begin_array(json);
	for (size_t i = 0; i < CALL_ROW_BUCKETS; i++) {
		if (!row->histogram[i])
			continue;
		json_begin_object(json);
		json_key_u64(json, "from_ns", i ? (uint64_t)1 << i : 0);
		json_key_u64(json, "calls", row->histogram[i]);
		json_end_object(json);
	}
	json_end_array(json);
}

static void call_view_write_threads(const struct call_view *view, const struct call_sum *sum,
				    struct json_writer *json)
{
	json_key(json, "threads");
	json_begin_array(json);
	for (size_t i = sum->first; i < sum->first + sum->num; i++) {
		json_begin_object(json);
		json_key_u64(json, "pid", view->sums->rows[i].pid);
		json_key_u64(json, "tid", view->sums->rows[i].tid);
		call_view_write_counts(&view->sums->rows[i], json);
		json_end_object(json);
	}
	json_end_array(json);
}

static struct error *call_view_write_place(const struct call_view *view,
					   const struct call_place *place, struct json_writer *json)
{
	const struct named_profile *profile = view->report->places->profile;
	_cleanup_(string_builder_deinit) struct string_builder line = STRING_BUILDER_INIT;
	const char *function;
	struct error *err =
		call_report_name_place(view->report, view->paths, place->frame, &line, &function);
	if (err)
		return err;
	json_begin_object(json);
	json_key_text(json, "call", named_profile_text(profile, place->call));
	json_key_text(json, "line", string_builder_peek(&line));
	json_key_text(json, "function", function);
	json_key_text(json, "waits_for", place->kind);
	if (place->other)
		json_key_text(json, place->thread == NAMED_NONE ? "lock" : "wakes",
			      named_profile_text(profile, place->other));
	if (place->thread != NAMED_NONE) {
		json_key_u64(json, "tid", profile->threads[place->thread].tid);
		json_key_u64(json, "woken_ns", place->weights[CALL_EVENT_WAKE]);
	}
	json_key_u64(json, "calls", place->weights[CALL_EVENT_COUNT]);
	json_key_u64(json, "total_ns", place->weights[CALL_EVENT_TIME]);
	json_key_u64(json, "waited_ns", place->weights[CALL_EVENT_WAIT]);
	json_key_u64(json, "samples", place->num_samples);
	json_end_object(json);
	return NULL;
}

/** @call: NULL: of all calls. */
static struct error *call_view_write_places(const struct call_view *view, const char *call,
					    enum call_event event, size_t max,
					    struct json_writer *json)
{
	size_t num = call_report_sort(view->report, call, event, view->sorted);
	struct error *err = NULL;
	json_begin_array(json);
	for (size_t i = 0; !err && i < num && i < max; i++)
		err = call_view_write_place(view, view->sorted[i], json);
	json_end_array(json);
	return err;
}

static struct error *call_view_write_json(const struct call_view *view, struct json_writer *json)
{
	struct error *err = NULL;
	json_begin_object(json);
	json_key(json, "calls");
	json_begin_array(json);
	for (size_t i = 0; !err && i < view->sums->num_items; i++) {
		const struct call_sum *sum = &view->sums->items[i];
		json_begin_object(json);
		json_key_text(json, "call", sum->name);
		call_view_write_counts(&sum->all, json);
		call_view_write_histogram(&sum->all, json);
		call_view_write_threads(view, sum, json);
		json_key(json, "callers");
		err = call_view_write_places(view, sum->name, CALL_EVENT_COUNT, JSON_CALLERS, json);
		json_end_object(json);
	}
	json_end_array(json);
	json_key(json, "waits");
	if (!err)
		err = call_view_write_places(view, NULL, CALL_EVENT_WAIT, SIZE_MAX, json);
	json_key(json, "wakes");
	if (!err)
		err = call_view_write_places(view, NULL, CALL_EVENT_WAKE, SIZE_MAX, json);
	json_key_u64(json, "samples", view->report->places->num_samples);
	json_key_u64(json, "lost_samples", view->report->table->num_lost_samples);
	json_key_u64(json, "lost_calls", view->report->table->num_lost);
	json_end_object(json);
	return err;
}

static struct error *call_view_write(const struct call_view *view, const struct output *output)
{
	struct error *err = NULL;
	if (output->text && view->report->shows_waits) {
		err = call_view_print_waits(view, output);
		if (!err)
			err = call_view_print_wakes(view, output);
	} else if (output->text) {
		err = call_report_print_counts(view->report, view->sums, output);
		if (!err)
			err = call_view_print_callers(view, output);
	}
	return err || !output->json ? err : call_view_write_json(view, output->json);
}

static void call_report_print_unreturned(const struct call_sums *sums)
{
	uint64_t num = 0;
	for (size_t i = 0; i < sums->num_items; i++)
		num += sums->items[i].all.num_unreturned;
	if (!num)
		return;
	fprintf(stderr, "note: calls that did not return, and are not in the table: %s (",
		decimal_grouped(num).text);
	const char *comma = "";
	for (size_t i = 0; i < sums->num_items; i++) {
		const struct call_sum *sum = &sums->items[i];
		if (!sum->all.num_unreturned)
			continue;
		fprintf(stderr, "%s%s %" PRIu64, comma, sum->name, sum->all.num_unreturned);
		if (sum->all.unreturned_ns)
			fprintf(stderr, " for %s s",
				decimal_fixed((double)sum->all.unreturned_ns / ns_per_second, 3)
					.text);
		comma = ", ";
	}
	fputs(")\n", stderr);
}

static void call_report_print_notes(const struct call_report *report, const struct call_sums *sums)
{
	uint64_t waited = 0, sampled = 0;
	for (size_t i = 0; i < sums->num_items; i++)
		waited += sums->items[i].all.waited_ns;
	for (size_t i = 0; i < report->places->num_items; i++)
		sampled += report->places->items[i].weights[CALL_EVENT_WAIT];
	if (report->shows_waits)
		fprintf(stderr,
			"note: the lines are those of %s samples, which stand for %s s; the kernel "
			"counted %s s\n",
			decimal_grouped(report->places->num_samples).text,
			decimal_fixed((double)sampled / ns_per_second, 3).text,
			decimal_fixed((double)waited / ns_per_second, 3).text);
	else
		fprintf(stderr, "note: %sthe lines are those of %s samples\n",
			report->table->num_lost ? "" : "counts and times are exact; ",
			decimal_grouped(report->places->num_samples).text);
	call_report_print_unreturned(sums);
	if (report->table->num_lost)
		fprintf(stderr,
			"warning: calls that were not counted, as there were too many "
			"threads: %s; counts and times are too low\n",
			decimal_grouped(report->table->num_lost).text);
}

struct error *call_report_write(const struct call_report *report, struct output_request request)
{
	_cleanup_(call_sums_deinit) struct call_sums sums = {0};
	_cleanup_(short_paths_deinit) struct short_paths paths = {0};
	_cleanup_free_ const struct call_place **sorted =
		calloc(report->places->num_items + 1, sizeof(*sorted));
	if (!sorted)
		return &error_no_memory;
	struct error *err = call_sums_init(&sums, report->table);
	if (!err)
		err = short_paths_create(report->places->profile, &paths);
	if (err)
		return err;
	const struct call_view view = {report, &sums, &paths, sorted};
	_cleanup_(output_deinit) struct output output;
	err = output_open(request, &output);
	if (!err)
		err = call_view_write(&view, &output);
	if (!err)
		err = output_close(&output);
	if (!err && !report->is_quiet) {
		fflush(stdout);
		call_report_print_notes(report, &sums);
	}
	return err;
}
