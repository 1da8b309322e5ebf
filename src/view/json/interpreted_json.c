// SPDX-License-Identifier: Apache-2.0

#include "view/interpreted_report.h"

#include "profile/interpreted/interpreted_raise.h"

#include "base/cleanup.h"
#include "profile/hot/share.h"
#include "view/json/report_json.h"

#include <stdlib.h>
#include <string.h>

// What the JSON of report has about interpreted code: how stacks were read, the events, and the hot
// lines, functions and files. Tables have a row per item with a list of cells, one per event, in
// the order of "events". Shares come with the bounds of their 95 % interval of confidence
// (profile/hot/share.h), as in the text.
//
//	{"frames": {"way": "sample", "samples": 0, "without": 0, ...},
//	 "events": [{"event": "cpu-clock", "unit": "nanoseconds", "samples": 273, ...}],
//	 "lines": [{"file": "/t.py", "line": 4, "function": "price", "source": "total += 1",
//	            "events": [{"self": {"samples": 143, "weight": 143143143, "percent": 52.381,
//	                                 "low": 46.4647, "high": 58.2312}, "total": {...}}]}, ...],
//	 "functions": [...], "files": [...]}

static void interpreted_json_write_total(struct json_writer *json, const char *key,
					 struct named_total part, struct named_total whole)
{
	struct share share = share_of(part, whole);
	json_key(json, key);
	json_begin_object(json);
	json_key_u64(json, "samples", part.count);
	json_key_u64(json, "weight", part.weight);
	json_key(json, "percent");
	json_double(json, share.percent);
	json_key(json, "low");
	json_double(json, share.low);
	json_key(json, "high");
	json_double(json, share.high);
	json_end_object(json);
}

/** For each event, in the order of "events". */
static void interpreted_json_write_cells(const struct interpreted_report *report,
					 const struct hot_table *table, const struct hot_row *row,
					 struct json_writer *json)
{
	const struct compiled_line *compiled = NULL;
	// Functions and files are right in compiled code; only its lines are not.
	if (table->key == HOT_INTERPRETED_LINE) {
		const struct named_frame *frame = &report->profile->frames[row->item];
		compiled = compiled_lines_find(&report->compiled, frame->file, frame->line);
	}
	json_key(json, "events");
	json_begin_array(json);
	for (size_t i = 0; i < table->num_events; i++) {
		json_begin_object(json);
		interpreted_json_write_total(json, "self", row->cells[i].self, table->wholes[i]);
		interpreted_json_write_total(json, "total", row->cells[i].total, table->wholes[i]);
		if (compiled && compiled->selves[i].count)
			interpreted_json_write_total(json, "self_compiled", compiled->selves[i],
						     table->wholes[i]);
		struct event_ratio of;
		size_t instructions;
		if (interpreted_report_ratio(report, i, &of, &instructions)) {
			struct ratio ratio = event_ratio_of(&of, row->cells[i].self,
							    row->cells[instructions].self);
			report_json_ratio(of.key, &ratio, json);
		}
		json_end_object(json);
	}
	json_end_array(json);
}

static void interpreted_json_write_string(const struct interpreted_report *report, const char *key,
					  uint32_t string, struct json_writer *json)
{
	json_key_text(json, key, named_profile_text(report->profile, string));
}

static struct error *interpreted_json_write_line(const struct interpreted_report *report,
						 uint32_t item, struct json_writer *json)
{
	const struct named_profile *profile = report->profile;
	const struct named_frame *frame = &profile->frames[item];
	interpreted_json_write_string(report, "file", frame->file, json);
	json_key_u64(json, "line", frame->line);
	interpreted_json_write_string(report, "function", profile->functions[frame->function].name,
				      json);
	// Its text, if the file can be read.
	struct text_line text = {0};
	struct error *err = report->get_line(
		report->context, named_profile_text(profile, frame->file), frame->line, &text);
	if (err || !text.text)
		return err;
	_cleanup_free_ char *copy = strndup(text.text, text.length);
	if (!copy)
		return &error_no_memory;
	json_key_text(json, "source", copy);
	return NULL;
}

static struct error *interpreted_json_write_function(const struct interpreted_report *report,
						     uint32_t item, struct json_writer *json)
{
	const struct named_function *function = &report->profile->functions[item];
	interpreted_json_write_string(report, "function", function->name, json);
	interpreted_json_write_string(report, "file", function->file, json);
	json_key_u64(json, "line", function->line);
	return NULL;
}

static struct error *interpreted_json_write_file(const struct interpreted_report *report,
						 uint32_t item, struct json_writer *json)
{
	interpreted_json_write_string(report, "file", item, json);
	return NULL;
}

static struct error *interpreted_json_write_task(const struct interpreted_report *report,
						 uint32_t item, struct json_writer *json)
{
	interpreted_json_write_string(report, "task", report->profile->functions[item].name, json);
	return NULL;
}

static struct error *interpreted_json_write_raise(const struct interpreted_report *report,
						  uint32_t item, struct json_writer *json)
{
	const struct named_frame *frame = &report->profile->frames[item];
	json_key_text(json, "exception", interpreted_raise_type(report->profile, frame->function));
	interpreted_json_write_string(report, "file", frame->file, json);
	json_key_u64(json, "line", frame->line);
	return NULL;
}

typedef struct error *(*write_item_fn)(const struct interpreted_report *report, uint32_t item,
				       struct json_writer *json);

/** What is outside of interpreted code is part of the events. */
static struct error *write_table(const struct interpreted_report *report, const char *key,
				 const struct hot_table *table, write_item_fn write,
				 struct json_writer *json)
{
	struct error *err = NULL;
	json_key(json, key);
	json_begin_array(json);
	for (size_t i = 0; !err && i < table->num_rows; i++) {
		// Samples outside of interpreted code are a row of the table, but no line:
		// "outside" of each event has them.
		if (table->rows[i].item == NAMED_NONE)
			continue;
		json_begin_object(json);
		err = write(report, table->rows[i].item, json);
		interpreted_json_write_cells(report, table, &table->rows[i], json);
		json_end_object(json);
	}
	json_end_array(json);
	return err;
}

static void write_events(const struct interpreted_report *report, struct json_writer *json)
{
	const struct hot_table *files = &report->files;
	json_key(json, "events");
	json_begin_array(json);
	for (size_t i = 0; i < files->num_events; i++) {
		const struct named_event *event = &report->profile->events[report->events[i]];
		json_begin_object(json);
		interpreted_json_write_string(report, "event", event->name, json);
		interpreted_json_write_string(report, "unit", event->unit, json);
		struct event_ratio ratio;
		size_t instructions;
		if (interpreted_report_ratio(report, i, &ratio, &instructions))
			report_json_instructions(report->profile, &ratio, json);
		json_key_u64(json, "samples", files->wholes[i].count);
		json_key_u64(json, "weight", files->wholes[i].weight);
		interpreted_json_write_total(json, "outside", hot_table_none(files, i),
					     files->wholes[i]);
		struct named_total compiled = compiled_lines_sum(&report->compiled, NAMED_NONE, i);
		if (compiled.count)
			interpreted_json_write_total(json, "compiled", compiled, files->wholes[i]);
		json_end_object(json);
	}
	json_end_array(json);
}

/** How they were read; not where nobody knows. */
static void write_way(const struct named_profile *profile, struct json_writer *json)
{
	const struct named_collection *collection = &profile->collection;
	if (!collection->way)
		return;
	json_key(json, "frames");
	json_begin_object(json);
	json_key_text(json, "way", named_profile_text(profile, collection->way));
	json_key_u64(json, "samples", collection->num_samples);
	json_key_u64(json, "without", collection->num_without);
	json_key_u64(json, "mean_skew_ns", collection->mean_skew_ns);
	json_key_u64(json, "max_skew_ns", collection->max_skew_ns);
	json_end_object(json);
}

struct error *interpreted_report_write_json(const struct interpreted_report *report,
					    struct json_writer *json)
{
	json_begin_object(json);
	write_way(report->profile, json);
	write_events(report, json);
	struct error *err =
		write_table(report, "lines", &report->lines, interpreted_json_write_line, json);
	if (!err)
		err = write_table(report, "functions", &report->functions,
				  interpreted_json_write_function, json);
	if (!err)
		err = write_table(report, "files", &report->files, interpreted_json_write_file,
				  json);
	if (!err && interpreted_report_has_any(&report->tasks))
		err = write_table(report, "tasks", &report->tasks, interpreted_json_write_task,
				  json);
	if (!err && interpreted_report_has_any(&report->raises))
		err = write_table(report, "exceptions", &report->raises,
				  interpreted_json_write_raise, json);
	json_end_object(json);
	return err;
}
