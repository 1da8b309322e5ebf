// SPDX-License-Identifier: Apache-2.0

#include "base/cleanup.h"
#include "base/container/array.h"
#include "report/calls/call_view.h"
#include "view/layout/table.h"

#include <stdio.h>

enum { CALLERS_PER_CALL = 3, CALLS_WITH_CALLERS = 15, NS_PER_US = 1000 };

static void call_tables_add_times(struct table *table, const struct call_row *all)
{
	enum { DECIMALS = 3 };
	double mean = all->num_calls ? (double)all->total_ns / (double)all->num_calls : 0;
	table_add_double(table, call_view_seconds(all->total_ns), DECIMALS);
	table_add_double(table, call_view_seconds(all->waited_ns), DECIMALS);
	table_add_double(table, mean / NS_PER_US, DECIMALS);
	table_add_double(table, (double)all->max_ns / NS_PER_US, 1);
}

static struct error *call_tables_print_sums(const struct call_view *view,
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
	const struct call_sums *sums = view->sums;
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
		if (!sum->all.num_calls || num_shown == view->report->max_rows)
			continue;
		num_shown++;
		table_add_u64(table, sum->all.num_calls);
		table_add_u64(table, sum->all.num_errors);
		call_tables_add_times(table, &sum->all);
		table_add_string(table, sum->name);
	}
	table_add_u64(table, all.num_calls);
	table_add_u64(table, all.num_errors);
	call_tables_add_times(table, &all);
	table_add_string(table, "total");
	err = table_check(table);
	if (!err)
		table_print(table, output->narrow, output->text);
	return err;
}

static uint64_t call_tables_sum(const struct call_place *const *items, size_t num,
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

static struct error *call_tables_add_callers(const struct call_view *view, const char *call,
					     struct table *table)
{
	size_t num = call_view_sort(view, call, CALL_EVENT_COUNT);
	uint64_t calls = call_tables_sum(view->sorted, num, CALL_EVENT_COUNT);
	uint64_t time = call_tables_sum(view->sorted, num, CALL_EVENT_TIME);
	struct error *err = NULL;
	for (size_t i = 0; !err && i < num && i < CALLERS_PER_CALL; i++) {
		const struct call_place *place = view->sorted[i];
		_cleanup_(string_builder_deinit) struct string_builder line = STRING_BUILDER_INIT;
		const char *function;
		err = call_view_name_place(view, place->frame, &line, &function);
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

static struct error *call_tables_print_callers(const struct call_view *view,
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
			err = call_tables_add_callers(view, view->sums->items[i].name, table);
	if (!err)
		err = table_check(table);
	if (err || !table_num_rows(table))
		return err;
	fputc('\n', output->text);
	table_print(table, output->narrow, output->text);
	return NULL;
}

static struct error *call_tables_print_sources(const struct call_view *view,
					       const struct output *output)
{
	static const struct table_column columns[] = {
		{"seconds", TABLE_RIGHT}, {"wait %", TABLE_RIGHT},  {"waits for", TABLE_LEFT},
		{"line", TABLE_LEFT},     {"function", TABLE_LEFT}, {"system call", TABLE_LEFT},
		{"lock", TABLE_LEFT},
	};
	const struct named_profile *profile = view->report->places->profile;
	size_t num = call_view_sort(view, NULL, CALL_EVENT_WAIT);
	uint64_t whole = call_tables_sum(view->sorted, num, CALL_EVENT_WAIT);
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(columns, ARRAY_SIZE(columns), &table);
	for (size_t i = 0; !err && i < num && i < view->report->max_rows; i++) {
		const struct call_place *place = view->sorted[i];
		uint64_t waited = place->weights[CALL_EVENT_WAIT];
		_cleanup_(string_builder_deinit) struct string_builder line = STRING_BUILDER_INIT;
		const char *function;
		err = call_view_name_place(view, place->frame, &line, &function);
		table_add_double(table, call_view_seconds(waited), 3);
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

static void call_tables_add_wake(const struct call_view *view, const struct call_place *place,
				 const char *line, const char *function, struct table *table)
{
	const struct named_profile *profile = view->report->places->profile;
	const struct named_thread *thread = &profile->threads[place->thread];
	table_add_double(table, call_view_seconds(place->weights[CALL_EVENT_WAKE]), 3);
	table_add_u64(table, place->num_samples);
	table_add_u32(table, thread->tid);
	table_add_string(table, named_profile_text(profile, thread->name));
	table_add_string(table, line);
	table_add_string(table, function);
	table_add_string(table, named_profile_text(profile, place->call));
	table_add_string(table, named_profile_text(profile, place->other));
}

/** Which threads of the target ended the waits of others. */
static struct error *call_tables_print_wakes(const struct call_view *view,
					     const struct output *output)
{
	static const struct table_column columns[] = {
		{"seconds", TABLE_RIGHT},    {"samples", TABLE_RIGHT}, {"tid", TABLE_RIGHT},
		{"thread", TABLE_LEFT},      {"line", TABLE_LEFT},     {"function", TABLE_LEFT},
		{"system call", TABLE_LEFT}, {"wakes", TABLE_LEFT},
	};
	size_t num = call_view_sort(view, NULL, CALL_EVENT_WAKE);
	if (!num)
		return NULL;
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(columns, ARRAY_SIZE(columns), &table);
	for (size_t i = 0; !err && i < num && i < view->report->max_rows; i++) {
		_cleanup_(string_builder_deinit) struct string_builder line = STRING_BUILDER_INIT;
		const char *function;
		err = call_view_name_place(view, view->sorted[i]->frame, &line, &function);
		call_tables_add_wake(view, view->sorted[i], string_builder_peek(&line), function,
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

struct error *call_tables_print_counts(const struct call_view *view, const struct output *output)
{
	struct error *err = call_tables_print_sums(view, output);
	return err ? err : call_tables_print_callers(view, output);
}

struct error *call_tables_print_waits(const struct call_view *view, const struct output *output)
{
	struct error *err = call_tables_print_sources(view, output);
	return err ? err : call_tables_print_wakes(view, output);
}
