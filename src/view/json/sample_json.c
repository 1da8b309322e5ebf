// SPDX-License-Identifier: Apache-2.0
#include "view/sample_report.h"

#include "view/json/json_writer.h"
#include "view/text/sample_table.h"

#include <stdlib.h>
#include <string.h>

// The layout of WindowsPerf's "sample --json". What wperf has in addition (model, idle_samples) is
// only there if there is something to say. Events are sorted by name.
//
//	{"sampling": {"pe_file": "", "pdb_file": "", "sample_display_row": 50,
//	              "samples_generated": 2700, "samples_dropped": 0, "base_address": 0,
//	              "runtime_delta": 0, "events": [
//	 {"type": "ld_spec", "samples": [{"overhead": 71.3, "count": 1927, "symbol": "x_mul"}, ...],
//	  "interval": 100000, "printed_sample_num": 20, "annotate": [...]}]}}

static void write_key_u64(const char *key, uint64_t value, struct json_writer *json)
{
	json_key_u64(json, key, value);
}

static void sample_json_write_text(const char *key, const char *text, struct json_writer *json)
{
	json_key_text(json, key, text ? text : "");
}

static void write_pcs(const struct sample_event_report *event, struct json_writer *json)
{
	json_key(json, "pcs");
	json_begin_array(json);
	for (size_t i = 0; i < event->num_pcs; i++) {
		json_begin_object(json);
		write_key_u64("address", event->pcs[i].address, json);
		write_key_u64("count", event->pcs[i].count, json);
		sample_json_write_text("in_symbol", event->pcs[i].symbol, json);
		json_end_object(json);
	}
	json_end_array(json);
}

static bool has_known_lines(const struct sample_function *function)
{
	for (size_t i = 0; i < function->num_lines; i++)
		if (sample_line_is_known(&function->lines[i]))
			return true;
	return false;
}

static struct error *sample_json_write_functions(const struct sample_report *report,
						 const struct sample_event_report *event,
						 struct json_writer *json)
{
	struct error *err = NULL;
	json_key(json, "annotate");
	json_begin_array(json);
	for (size_t i = 0; !err && i < event->num_functions; i++) {
		const struct sample_function *function = &event->functions[i];
		_cleanup_(table_destroyp) struct table *table = NULL;
		// Clients open the file of each row: as with WindowsPerf, there is none without.
		if (!has_known_lines(function))
			continue;
		err = sample_table_lines(function, report->has_disassembly, SAMPLE_LINES_KNOWN,
					 &table);
		if (err)
			break;
		json_begin_object(json);
		sample_json_write_text("function_name", function->name, json);
		json_key(json, "source_code");
		table_write_json(table, json);
		json_end_object(json);
	}
	json_end_array(json);
	return err;
}

static struct error *sample_json_write_event(const struct sample_report *report,
					     const struct sample_event_report *event,
					     struct json_writer *json)
{
	_cleanup_(table_destroyp) struct table *table = NULL;
	json_begin_object(json);
	sample_json_write_text("type", event->type, json);
	struct error *err = sample_table_rows(event, &table);
	if (!err) {
		json_key(json, "samples");
		table_write_json(table, json);
	}
	write_key_u64("interval", event->interval, json);
	if (event->model)
		sample_json_write_text("model", event->model, json);
	write_key_u64("printed_sample_num", event->num_top, json);
	if (event->num_idle) {
		write_key_u64("idle_samples", event->num_idle, json);
		json_key(json, "idle_percent");
		json_double(json, event->idle_percent);
	}
	if (report->verbose)
		write_pcs(event, json);
	if (!err)
		err = sample_json_write_functions(report, event, json);
	json_end_object(json);
	return err;
}

static int by_type(const void *a, const void *b)
{
	const struct sample_event_report *const *first = a, *const *second = b;
	int order = strcmp((*first)->type, (*second)->type);
	// Equal names keep the order that texts have.
	return order ? order : (*first > *second) - (*first < *second);
}

static struct error *sample_json_write_events(const struct sample_report *report,
					      struct json_writer *json)
{
	static const struct sample_event_report none = {.type = "unknown event"};
	size_t num_events = report->num_events;
	_cleanup_free_ const struct sample_event_report **sorted =
		calloc(num_events + 1, sizeof(const struct sample_event_report *));
	struct error *err = sorted ? NULL : &error_no_memory;
	json_key(json, "events");
	json_begin_array(json);
	for (size_t i = 0; !err && i < num_events; i++)
		sorted[i] = &report->events[i];
	if (!err)
		qsort(sorted, num_events, sizeof(const struct sample_event_report *), by_type);
	for (size_t i = 0; !err && i < num_events; i++)
		err = sample_json_write_event(report, sorted[i], json);
	if (!err && !num_events)
		err = sample_json_write_event(report, &none, json);
	json_end_array(json);
	return err;
}

struct error *sample_report_write_json_value(const struct sample_report *report,
					     struct json_writer *json)
{
	json_begin_object(json);
	sample_json_write_text("pe_file", report->pe_file, json);
	sample_json_write_text("pdb_file", report->pdb_file, json);
	write_key_u64("sample_display_row", report->max_rows, json);
	write_key_u64("samples_generated", report->generated, json);
	write_key_u64("samples_dropped", report->dropped, json);
	write_key_u64("base_address", report->base_address, json);
	json_key(json, "runtime_delta");
	// A file may be mapped below the address that it was linked for.
	json_i64(json, report->runtime_delta);
	if (report->verbose) {
		json_key(json, "modules");
		json_begin_array(json);
		for (size_t i = 0; i < report->num_modules; i++) {
			json_begin_object(json);
			sample_json_write_text("name", report->modules[i].name, json);
			write_key_u64("address", report->modules[i].address, json);
			sample_json_write_text("path", report->modules[i].path, json);
			json_end_object(json);
		}
		json_end_array(json);
		// The peer lists the sections of images whose PDB it has read; nobody asks us for
		// these.
		json_key(json, "modules_info");
		json_begin_array(json);
		json_end_array(json);
	}
	struct error *err = sample_json_write_events(report, json);
	json_end_object(json);
	return err;
}

struct error *sample_report_write_json(const struct sample_report *report, struct json_writer *json)
{
	json_begin_object(json);
	json_key(json, "sampling");
	struct error *err = sample_report_write_json_value(report, json);
	json_end_object(json);
	return err;
}
