// SPDX-License-Identifier: Apache-2.0

#include "report/calls/call_view.h"

#include <stdint.h>

enum { JSON_CALLERS = 20 };

static void call_json_write_counts(const struct call_row *row, struct json_writer *json)
{
	json_key_u64(json, "calls", row->num_calls);
	json_key_u64(json, "errors", row->num_errors);
	json_key_u64(json, "unreturned", row->num_unreturned);
	json_key_u64(json, "unreturned_ns", row->unreturned_ns);
	json_key_u64(json, "total_ns", row->total_ns);
	json_key_u64(json, "waited_ns", row->waited_ns);
	json_key_u64(json, "max_ns", row->max_ns);
}

static void call_json_write_histogram(const struct call_row *row, struct json_writer *json)
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

static void call_json_write_threads(const struct call_view *view, const struct call_sum *sum,
				    struct json_writer *json)
{
	json_key(json, "threads");
	json_begin_array(json);
	for (size_t i = sum->first; i < sum->first + sum->num; i++) {
		json_begin_object(json);
		json_key_u64(json, "pid", view->sums->rows[i].pid);
		json_key_u64(json, "tid", view->sums->rows[i].tid);
		call_json_write_counts(&view->sums->rows[i], json);
		json_end_object(json);
	}
	json_end_array(json);
}

static struct error *call_json_write_place(const struct call_view *view,
					   const struct call_place *place, struct json_writer *json)
{
	const struct named_profile *profile = view->report->places->profile;
	_cleanup_(string_builder_deinit) struct string_builder line = STRING_BUILDER_INIT;
	const char *function;
	struct error *err = call_view_name_place(view, place->frame, &line, &function);
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
static struct error *call_json_write_places(const struct call_view *view, const char *call,
					    enum call_event event, size_t max,
					    struct json_writer *json)
{
	size_t num = call_view_sort(view, call, event);
	struct error *err = NULL;
	json_begin_array(json);
	for (size_t i = 0; !err && i < num && i < max; i++)
		err = call_json_write_place(view, view->sorted[i], json);
	json_end_array(json);
	return err;
}

struct error *call_json_write(const struct call_view *view, struct json_writer *json)
{
	struct error *err = NULL;
	json_begin_object(json);
	json_key(json, "calls");
	json_begin_array(json);
	for (size_t i = 0; !err && i < view->sums->num_items; i++) {
		const struct call_sum *sum = &view->sums->items[i];
		json_begin_object(json);
		json_key_text(json, "call", sum->name);
		call_json_write_counts(&sum->all, json);
		call_json_write_histogram(&sum->all, json);
		call_json_write_threads(view, sum, json);
		json_key(json, "callers");
		err = call_json_write_places(view, sum->name, CALL_EVENT_COUNT, JSON_CALLERS, json);
		json_end_object(json);
	}
	json_end_array(json);
	json_key(json, "waits");
	if (!err)
		err = call_json_write_places(view, NULL, CALL_EVENT_WAIT, SIZE_MAX, json);
	json_key(json, "wakes");
	if (!err)
		err = call_json_write_places(view, NULL, CALL_EVENT_WAKE, SIZE_MAX, json);
	json_key_u64(json, "samples", view->report->places->num_samples);
	json_key_u64(json, "lost_samples", view->report->table->num_lost_samples);
	json_key_u64(json, "lost_calls", view->report->table->num_lost);
	json_end_object(json);
	return err;
}
