// SPDX-License-Identifier: Apache-2.0

#include "view/text/interpreted_source.h"

#include "base/cleanup.h"

#include <stdlib.h>
#include <string.h>

// A source file with samples, as annotate and report --file show it: its functions and lines with a
// list of cells, one per event, and for each line the functions in which its time was spent. Lines
// and callees are both sorted by line, so that one pass over both is enough.
//
//	{"path": "/t.py", "events": [{"event": "cpu-clock", "samples": 278, "weight": 278278278}],
//	 "functions": [{"function": "price", "line": 1, "events": [...]}],
//	 "lines": [{"line": 3, "text": "for i in range(n):", "events": [{"samples": 45, ...}],
//	            "in": [{"function": "pymalloc_alloc", "module": "/lib/libpython3.11.so.1.0",
//	                    "events": [{"samples": 8, "weight": 8008008}]}, ...]}]}

static void interpreted_source_json_write_total(struct json_writer *json, const char *count_key,
						const char *weight_key, struct named_total total)
{
	json_key_u64(json, count_key, total.count);
	json_key_u64(json, weight_key, total.weight);
}

/** @compiled: of the row's own samples; NULL: none. */
static void interpreted_source_json_write_cells(const struct interpreted_source *source,
						const struct hot_row *row,
						const struct compiled_line *compiled,
						struct json_writer *json)
{
	json_key(json, "events");
	json_begin_array(json);
	for (size_t i = 0; i < source->num_events; i++) {
		json_begin_object(json);
		interpreted_source_json_write_total(json, "samples", "weight", row->cells[i].self);
		interpreted_source_json_write_total(json, "total_samples", "total_weight",
						    row->cells[i].total);
		if (compiled && compiled->selves[i].count)
			interpreted_source_json_write_total(json, "compiled_samples",
							    "compiled_weight", compiled->selves[i]);
		json_end_object(json);
	}
	json_end_array(json);
}

static void interpreted_source_json_write_function_name(const struct interpreted_source *source,
							uint32_t item, struct json_writer *json)
{
	const struct named_profile *profile = source->profile;
	const struct named_function *function = &profile->functions[item];
	json_key_text(json, "function", named_profile_text(profile, function->name));
	if (function->kind != FRAME_INTERPRETED && function->module != NAMED_NONE)
		json_key_text(json, "module",
			      named_profile_text(profile, profile->modules[function->module].path));
}

/** "function" is null where it is the line's own bytecode. */
static void write_callee(const struct interpreted_source *source, const struct line_callee *callee,
			 struct json_writer *json)
{
	json_begin_object(json);
	if (callee->function == NAMED_NONE) {
		json_key(json, "function");
		json_none(json);
	} else {
		interpreted_source_json_write_function_name(source, callee->function, json);
	}
	json_key(json, "events");
	json_begin_array(json);
	for (size_t i = 0; i < source->num_events; i++) {
		json_begin_object(json);
		interpreted_source_json_write_total(json, "samples", "weight", callee->selves[i]);
		json_end_object(json);
	}
	json_end_array(json);
	json_end_object(json);
}

static struct error *interpreted_source_json_write_text(const struct interpreted_source *source,
							uint32_t line, struct json_writer *json)
{
	struct text_line text =
		source->text ? text_lines_get(source->text, line) : (struct text_line){0};
	if (!text.text)
		return NULL;
	_cleanup_free_ char *copy = strndup(text.text, text.length);
	if (!copy)
		return &error_no_memory;
	json_key_text(json, "text", copy);
	return NULL;
}

static void interpreted_source_json_write_functions(const struct interpreted_source *source,
						    struct json_writer *json)
{
	json_key(json, "functions");
	json_begin_array(json);
	for (size_t i = 0; i < source->num_functions; i++) {
		json_begin_object(json);
		interpreted_source_json_write_function_name(source, source->functions[i].row->item,
							    json);
		json_key_u64(json, "line", source->functions[i].line);
		interpreted_source_json_write_cells(source, source->functions[i].row, NULL, json);
		json_end_object(json);
	}
	json_end_array(json);
}

static void interpreted_source_json_write_events(const struct interpreted_source *source,
						 struct json_writer *json)
{
	json_key(json, "events");
	json_begin_array(json);
	for (size_t i = 0; i < source->num_events; i++) {
		const struct named_event *event = &source->profile->events[source->events[i]];
		json_begin_object(json);
		json_key_text(json, "event", named_profile_text(source->profile, event->name));
		interpreted_source_json_write_total(json, "samples", "weight", source->wholes[i]);
		json_end_object(json);
	}
	json_end_array(json);
}

struct error *interpreted_source_write_json(const struct interpreted_source *source,
					    struct json_writer *json)
{
	struct error *err = NULL;
	const struct line_callees *callees = &source->callees;
	size_t callee = 0;
	json_begin_object(json);
	json_key_text(json, "path", named_profile_text(source->profile, source->file));
	interpreted_source_json_write_events(source, json);
	interpreted_source_json_write_functions(source, json);
	json_key(json, "lines");
	json_begin_array(json);
	for (size_t i = 0; !err && i < source->num_lines; i++) {
		uint32_t line = source->lines[i].line;
		json_begin_object(json);
		json_key_u64(json, "line", line);
		err = interpreted_source_json_write_text(source, line, json);
		interpreted_source_json_write_cells(
			source, source->lines[i].row,
			compiled_lines_find(source->compiled, source->file, line), json);
		json_key(json, "in");
		json_begin_array(json);
		for (; callee < callees->num_items && callees->items[callee].line <= line; callee++)
			write_callee(source, &callees->items[callee], json);
		json_end_array(json);
		json_end_object(json);
	}
	json_end_array(json);
	json_end_object(json);
	return err;
}
