// SPDX-License-Identifier: Apache-2.0
// Two tables: what is waited for, and which lines wait, with who ended that. The second one,
// without waits of which that is not known, also stands beside the hot functions of a recording.

#include "report/waits/wait_report.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "report/calls/waiting_frame.h"
#include "report/waits/wait_places.h"

#include <inttypes.h>

static const double ns_per_second = 1e9, ns_per_ms = 1e6;

/** What is shown, and the names of its files. */
struct wait_view {
	struct wait_places places;
	struct short_paths paths;
};

static void wait_view_deinit(struct wait_view *view)
{
	wait_places_deinit(&view->places);
	short_paths_deinit(&view->paths);
}

static struct error *wait_view_init(struct wait_view *view, const struct named_profile *profile)
{
	struct error *err = wait_places_init(&view->places, profile);
	return err ? err : short_paths_create(profile, &view->paths);
}

static bool wait_end_is_known(enum wait_end end)
{
	return end == WAIT_END_THREAD || end == WAIT_END_TIMER || end == WAIT_END_INTERRUPT;
}

bool wait_report_knows_wakers(const struct named_profile *profile)
{
	for (size_t i = 0; i < profile->waits.num_items; i++)
		if (wait_end_is_known(profile->waits.items[i].end))
			return true;
	return false;
}

static const char *const end_names[WAIT_NUM_ENDS] = {
	[WAIT_END_UNKNOWN] = "unknown", [WAIT_END_THREAD] = "thread",
	[WAIT_END_TIMER] = "timer",     [WAIT_END_INTERRUPT] = "interrupt",
	[WAIT_END_CORE] = "free core",  [WAIT_END_NEVER] = "recording's end",
};

static double wait_percent(const struct wait_view *view, uint64_t ns)
{
	uint64_t all = view->places.all.total_ns;
	return all ? 100.0 * (double)ns / (double)all : 0;
}

static void wait_table_add_times(const struct wait_view *view, const struct wait_times *times,
				 struct table *table)
{
	table_add_double(table, (double)times->total_ns / ns_per_second, 3);
	table_add_double(table, wait_percent(view, times->total_ns), 1);
	table_add_u64(table, times->count);
	table_add_double(table, (double)times->max_ns / ns_per_ms, 3);
}

static struct error *wait_report_print_kinds(const struct wait_view *view,
					     struct table_layout narrow, FILE *stream)
{
	static const struct table_column columns[] = {
		{"seconds", TABLE_RIGHT},    {"wait %", TABLE_RIGHT},   {"waits", TABLE_RIGHT},
		{"longest ms", TABLE_RIGHT}, {"waits for", TABLE_LEFT},
	};
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(columns, ARRAY_SIZE(columns), &table);
	if (err)
		return err;
	for (size_t i = 0; i < view->places.num_kinds; i++) {
		wait_table_add_times(view, &view->places.kinds[i].times, table);
		table_add_string(table, view->places.kinds[i].kind);
	}
	wait_table_add_times(view, &view->places.all, table);
	table_add_string(table, "all");
	err = table_check(table);
	if (!err)
		table_print(table, narrow, stream);
	return err;
}

/** "writer (4711)", "timer". */
static void wait_report_add_end(const struct wait_view *view, const struct wait_place *place,
				struct string_builder *text)
{
	const struct named_profile *profile = view->places.profile;
	if (place->end != WAIT_END_THREAD) {
		string_builder_append(text, end_names[place->end]);
		return;
	}
	const struct named_thread *thread = &profile->threads[place->waker];
	string_builder_appendf(text, "%s (%" PRIu32 ")", named_profile_text(profile, thread->name),
			       thread->tid);
}

static struct error *wait_report_add_row(const struct wait_view *view,
					 const struct wait_place *place, struct table *table)
{
	const struct named_profile *profile = view->places.profile;
	_cleanup_(string_builder_deinit) struct string_builder line = STRING_BUILDER_INIT;
	_cleanup_(string_builder_deinit) struct string_builder waker = STRING_BUILDER_INIT;
	_cleanup_(string_builder_deinit) struct string_builder waker_line = STRING_BUILDER_INIT;
	const char *function, *waker_function = "";
	struct error *err =
		waiting_frame_name(profile, &view->paths, place->frame, &line, &function);
	if (!err && place->end == WAIT_END_THREAD)
		err = waiting_frame_name(profile, &view->paths, place->waker_frame, &waker_line,
					 &waker_function);
	wait_report_add_end(view, place, &waker);
	if (err || waker.failed)
		return err ? err : &error_no_memory;
	wait_table_add_times(view, &place->times, table);
	table_add_string(table, place->kind);
	table_add_string(table, string_builder_peek(&line));
	table_add_string(table, function);
	table_add_string(table, string_builder_peek(&waker));
	table_add_string(table, string_builder_peek(&waker_line));
	table_add_string(table, waker_function);
	return NULL;
}

/** @only_known: without waits whose end is not known. */
static struct error *wait_report_print_lines(const struct wait_view *view, uint32_t max_rows,
					     bool only_known, struct table_layout narrow,
					     FILE *stream)
{
	static const struct table_column columns[] = {
		{"seconds", TABLE_RIGHT},    {"wait %", TABLE_RIGHT},   {"waits", TABLE_RIGHT},
		{"longest ms", TABLE_RIGHT}, {"waits for", TABLE_LEFT}, {"line", TABLE_LEFT},
		{"function", TABLE_LEFT},    {"ended by", TABLE_LEFT},  {"at line", TABLE_LEFT},
		{"in function", TABLE_LEFT},
	};
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(columns, ARRAY_SIZE(columns), &table);
	size_t num_left_out = 0, num = 0;
	for (size_t i = 0; !err && i < view->places.num_items; i++) {
		const struct wait_place *place = &view->places.items[i];
		if (only_known && !wait_end_is_known(place->end))
			continue;
		if (max_rows && num == max_rows)
			num_left_out++;
		else
			err = wait_report_add_row(view, place, table);
		num += num < max_rows || !max_rows;
	}
	if (!err)
		err = table_check(table);
	if (err)
		return err;
	table_print(table, narrow, stream);
	if (num_left_out)
		fprintf(stream, "      ... and %zu more\n", num_left_out);
	return NULL;
}

static void wait_json_write_times(const struct wait_times *times, struct json_writer *json)
{
	json_key_u64(json, "count", times->count);
	json_key_u64(json, "total_ns", times->total_ns);
	json_key_u64(json, "max_ns", times->max_ns);
}

static struct error *wait_json_write_line(const struct wait_view *view, uint32_t frame,
					  struct json_writer *json)
{
	_cleanup_(string_builder_deinit) struct string_builder line = STRING_BUILDER_INIT;
	const char *function;
	struct error *err =
		waiting_frame_name(view->places.profile, &view->paths, frame, &line, &function);
	if (err)
		return err;
	json_key_text(json, "line", string_builder_peek(&line));
	json_key_text(json, "function", function);
	return NULL;
}

static struct error *wait_json_write_waker(const struct wait_view *view,
					   const struct wait_place *place, struct json_writer *json)
{
	const struct named_profile *profile = view->places.profile;
	const struct named_thread *thread = &profile->threads[place->waker];
	json_key(json, "waker");
	json_begin_object(json);
	json_key_u64(json, "pid", thread->pid);
	json_key_u64(json, "tid", thread->tid);
	json_key_text(json, "thread", named_profile_text(profile, thread->name));
	struct error *err = wait_json_write_line(view, place->waker_frame, json);
	json_end_object(json);
	return err;
}

static struct error *wait_json_write_place(const struct wait_view *view,
					   const struct wait_place *place, struct json_writer *json)
{
	json_begin_object(json);
	json_key_text(json, "waits_for", place->kind);
	struct error *err = wait_json_write_line(view, place->frame, json);
	wait_json_write_times(&place->times, json);
	json_key_text(json, "ended_by", end_names[place->end]);
	if (!err && place->end == WAIT_END_THREAD)
		err = wait_json_write_waker(view, place, json);
	json_end_object(json);
	return err;
}

static struct error *wait_json_write(const struct wait_view *view, uint32_t max_rows,
				     struct json_writer *json)
{
	struct error *err = NULL;
	json_begin_object(json);
	json_key(json, "kinds");
	json_begin_array(json);
	for (size_t i = 0; i < view->places.num_kinds; i++) {
		json_begin_object(json);
		json_key_text(json, "waits_for", view->places.kinds[i].kind);
		wait_json_write_times(&view->places.kinds[i].times, json);
		json_end_object(json);
	}
	json_end_array(json);
	json_key(json, "waits");
	json_begin_array(json);
	for (size_t i = 0; !err && i < view->places.num_items && (!max_rows || i < max_rows); i++)
		err = wait_json_write_place(view, &view->places.items[i], json);
	json_end_array(json);
	json_key(json, "knows_wakers");
	json_bool(json, wait_report_knows_wakers(view->places.profile));
	json_end_object(json);
	return err;
}

struct error *wait_report_print(const struct named_profile *profile, uint32_t max_rows,
				const struct output *output)
{
	_cleanup_(wait_view_deinit) struct wait_view view = {0};
	if (!profile->waits.num_items)
		return error_with_hint(error_create(ERROR_FAILED, "the recording has no waits"),
				       "record them: wperf record --off-cpu COMMAND; as root, "
				       "--wakers also says who ends them");
	struct error *err = wait_view_init(&view, profile);
	if (!err && output->text)
		err = wait_report_print_kinds(&view, output->narrow, output->text);
	if (!err && output->text) {
		fputc('\n', output->text);
		err = wait_report_print_lines(&view, max_rows, false, output->narrow, output->text);
	}
	if (!err && output->json)
		err = wait_json_write(&view, max_rows, output->json);
	if (!err && output->text && !wait_report_knows_wakers(profile))
		fputs("note: who ended the waits was not recorded: record --wakers does, as root\n",
		      stderr);
	return err;
}

struct error *wait_report_print_wakers(const struct named_profile *profile, uint32_t max_rows,
				       struct table_layout narrow, FILE *stream)
{
	_cleanup_(wait_view_deinit) struct wait_view view = {0};
	if (!wait_report_knows_wakers(profile))
		return NULL;
	struct error *err = wait_view_init(&view, profile);
	if (err)
		return err;
	fputs("\nwho ends the waits:\n\n", stream);
	return wait_report_print_lines(&view, max_rows, true, narrow, stream);
}
