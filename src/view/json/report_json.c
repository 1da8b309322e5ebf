// SPDX-License-Identifier: Apache-2.0

#include "view/json/report_json.h"

#include "base/text/string_builder.h"
#include "profile/hot/hot_label.h"
#include "profile/idle_samples.h"
#include "profile/time_span.h"

// The JSON of report: an object per event with its hot list. Rows have the name as the text shows
// it, and besides its parts (module, function, file, line, address), so that programs need not take
// names apart. Percentages are rounded to six digits; samples and weights are exact.
//
//	{"report": {"lost": 0, "events": [
//	 {"event": "cpu-clock", "unit": "nanoseconds", "samples": 141, "weight": 141141141,
//	  "by": "function", "rows": [
//	   {"name": "add", "self_percent": 97.8723, "total_percent": 100, "samples": 138,
//	    "weight": 138138138, "module": "/tmp/loop", "function": "add"}, ...]}]}}
//
// An event with a ratio (event_ratio.h) has "instructions": the event that it is of. A row with
// enough samples of both has "cpi" or "mpki": {"value": 1.5, "low": 1.2, "high": 1.9}.

void report_json_begin(const struct named_profile *profile, struct json_writer *json)
{
	json_begin_object(json);
	json_key(json, "report");
	json_begin_object(json);
	json_key_u64(json, "lost", profile->num_lost);
	json_key(json, "events");
	json_begin_array(json);
}

void report_json_end_events(struct json_writer *json)
{
	json_end_array(json);
}

void report_json_end(struct json_writer *json)
{
	json_end_object(json);
	json_end_object(json);
}

static double report_json_seconds(struct time_span span, uint64_t time_ns)
{
	return (double)time_span_since_ns(span, time_ns) / 1e9;
}

void report_json_memory(const struct named_profile *profile, struct json_writer *json)
{
	const struct memory_curve *curve = &profile->memory;
	const struct memory_point *peak = memory_curve_peak(curve);
	if (!peak)
		return;
	struct time_span span = time_span_of(profile);
	json_key(json, "in_use");
	json_begin_object(json);
	json_key(json, "peak_seconds");
	json_double(json, report_json_seconds(span, peak->time_ns));
	json_key_u64(json, "peak_bytes", peak->most);
	json_key_u64(json, "end_bytes", curve->points[curve->num_points - 1].last);
	json_key(json, "points");
	json_begin_array(json);
	for (size_t i = 0; i < curve->num_points; i++) {
		const struct memory_point *point = &curve->points[i];
		json_begin_array(json);
		json_double(json, report_json_seconds(span, point->time_ns));
		json_u64(json, point->most);
		json_u64(json, point->last);
		json_end_array(json);
	}
	json_end_array(json);
	json_end_object(json);
}

static void report_json_write_module(const struct named_profile *profile, uint32_t module,
				     struct json_writer *json)
{
	if (module != NAMED_NONE)
		json_key_text(json, "module",
			      named_profile_text(profile, profile->modules[module].path));
}

static void report_json_write_line(const struct named_profile *profile,
				   const struct named_frame *frame, struct json_writer *json)
{
	if (!frame->line)
		return;
	json_key_text(json, "file", named_profile_text(profile, frame->file));
	json_key_u64(json, "line", frame->line);
}

static void report_json_memory_line(const struct memory_lines *lines,
				    const struct memory_line *line, struct json_writer *json)
{
	static const char *const keys[MEMORY_EVENT_NUM] = {
		[MEMORY_EVENT_ALLOCATED] = "allocated", [MEMORY_EVENT_TEMPORARY] = "temporary",
		[MEMORY_EVENT_TOUCHED] = "touched",     [MEMORY_EVENT_AT_MOMENT] = "at_moment",
		[MEMORY_EVENT_IN_USE] = "at_end",       [MEMORY_EVENT_LEAKED] = "leaked",
		[MEMORY_EVENT_AT_PEAK] = "at_peak",
	};
	const struct named_profile *profile = lines->profile;
	json_begin_object(json);
	for (size_t kind = 0; kind < MEMORY_EVENT_NUM; kind++)
		if (keys[kind] && lines->has[kind])
			json_key_u64(json, keys[kind], line->bytes[kind]);
	if (line->frame != NAMED_NONE) {
		const struct named_frame *frame = &profile->frames[line->frame];
		const struct named_function *function = &profile->functions[frame->function];
		json_key_text(json, "function", named_profile_text(profile, function->name));
		report_json_write_module(profile, function->module, json);
		report_json_write_line(profile, frame, json);
	}
	json_end_object(json);
}

void report_json_memory_lines(const struct memory_lines *lines, size_t max_rows,
			      struct json_writer *json)
{
	json_key(json, "memory");
	json_begin_array(json);
	for (size_t i = 0; i < lines->num_items && (!max_rows || i < max_rows); i++)
		report_json_memory_line(lines, &lines->items[i], json);
	json_end_array(json);
}

static void write_percent(struct json_writer *json, const char *key, struct named_total part,
			  struct named_total whole)
{
	json_key(json, key);
	json_double(json, named_total_percent(part, whole));
}

static void report_json_write_place(const struct named_profile *profile,
				    const struct hot_list *list, const struct hot_entry *entry,
				    struct json_writer *json)
{
	uint32_t module = hot_label_module(list, profile, entry);
	uint32_t function = hot_label_function(list, profile, entry);
	report_json_write_module(profile, module, json);
	if (function != NAMED_NONE)
		json_key_text(json, "function",
			      named_profile_text(profile, profile->functions[function].name));
	bool is_frame = list->key == HOT_LINE || list->key == HOT_ADDRESS ||
			list->key == HOT_INTERPRETED_LINE;
	if (!is_frame || entry->item == NAMED_NONE)
		return;
	const struct named_frame *frame = &profile->frames[entry->item];
	report_json_write_line(profile, frame, json);
	if (list->key == HOT_ADDRESS)
		json_key_u64(json, "address", frame->address);
}

void report_json_begin_event(const struct named_profile *profile, uint32_t event,
			     struct named_total whole, struct json_writer *json)
{
	const struct named_event *named = &profile->events[event];
	json_begin_object(json);
	json_key_text(json, "event", named_profile_text(profile, named->name));
	json_key_text(json, "unit", named_profile_text(profile, named->unit));
	if (named->model)
		json_key_text(json, "model", named_profile_text(profile, named->model));
	json_key_u64(json, "samples", whole.count);
	json_key_u64(json, "weight", whole.weight);
	// Only if idle samples were left out.
	if (!named->idle.count)
		return;
	json_key_u64(json, "idle_samples", named->idle.count);
	json_key(json, "idle_percent");
	json_double(json, idle_samples_percent(named));
}

void report_json_end_event(struct json_writer *json)
{
	json_end_object(json);
}

void report_json_ratio(const char *key, const struct ratio *ratio, struct json_writer *json)
{
	if (!ratio->is_known)
		return;
	json_key(json, key);
	json_begin_object(json);
	json_key(json, "value");
	json_double(json, ratio->value);
	json_key(json, "low");
	json_double(json, ratio->low);
	json_key(json, "high");
	json_double(json, ratio->high);
	json_end_object(json);
}

void report_json_instructions(const struct named_profile *profile, const struct event_ratio *ratio,
			      struct json_writer *json)
{
	uint32_t name = profile->events[ratio->instructions].name;
	json_key_text(json, "instructions", named_profile_text(profile, name));
}

struct error *report_json_hot(const struct named_profile *profile, const struct hot_list *list,
			      const struct hot_ratios *ratios, size_t max_rows,
			      struct json_writer *json)
{
	if (ratios)
		report_json_instructions(profile, &ratios->ratio, json);
	json_key_text(json, "by", hot_key_name(list->key));
	json_key(json, "rows");
	json_begin_array(json);
	_cleanup_(string_builder_deinit) struct string_builder label = STRING_BUILDER_INIT;
	for (size_t i = 0; i < list->num_entries && (!max_rows || i < max_rows); i++) {
		const struct hot_entry *entry = &list->entries[i];
		string_builder_clear(&label);
		hot_label_append(list, profile, entry, &label);
		if (label.failed)
			break;
		json_begin_object(json);
		json_key_text(json, "name", string_builder_peek(&label));
		write_percent(json, "self_percent", entry->self, list->whole);
		write_percent(json, "total_percent", entry->total, list->whole);
		json_key_u64(json, "samples", entry->self.count);
		json_key_u64(json, "weight", entry->self.weight);
		if (ratios)
			report_json_ratio(ratios->ratio.key, &ratios->values[i], json);
		report_json_write_place(profile, list, entry, json);
		json_end_object(json);
	}
	json_end_array(json);
	return label.failed ? &error_no_memory : NULL;
}
