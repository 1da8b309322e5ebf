// SPDX-License-Identifier: Apache-2.0
#include "view/export/timeline_csv.h"

#include "view/layout/decimal.h"
#include "view/layout/safe_text.h"
#include "view/output_stream.h"
#include "view/text/stat_section.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

// The layout is that of WindowsPerf's "stat -t", whose readers count columns: facts about the run,
// an empty line, a row with the unit of each column, a row with its event, and then a row of values
// per count. All these rows have the same columns, so that they are written by one loop
// (timeline_csv_write_row()) with functions for the two kinds of cells (struct csv_row).
//
//	Multiplexing,TRUE
//	Kernel mode,FALSE
//	Count interval,0.00
//	Vendor,Arm Limited
//	Event class,core
//
//	core 0,core 0,core 0,core 0,core 1,core 1,core 1,core 1,
//	cycle,sched_times,ld_spec,sched_times,cycle,sched_times,ld_spec,sched_times,
//	2250000000,10,135000000,5,2250000000,10,202500000,5,

enum { INTERVAL_DECIMALS = 2, NS_PER_MS = 1000000, MS_PER_S = 1000 };

/** A text of one line; line ends are control characters, which safe text has not. */
static void timeline_csv_write_text(const char *text, FILE *stream)
{
	if (!strpbrk(text, ",\"")) {
		safe_text_print(text, strlen(text), stream);
		return;
	}
	fputc('"', stream);
	for (;;) {
		size_t length = strcspn(text, "\"");
		safe_text_print(text, length, stream);
		text += length;
		if (!*text++)
			break;
		// Between quotes, a quote is written twice.
		fputs("\"\"", stream);
	}
	fputc('"', stream);
}

/** Cells end with a comma, also the last of a line: readers of the peer's files expect it. */
static void timeline_csv_add_cell(const char *text, FILE *stream)
{
	timeline_csv_write_text(text, stream);
	fputc(',', stream);
}

static void add_u64(uint64_t value, FILE *stream)
{
	fprintf(stream, "%" PRIu64 ",", value);
}

static bool has_schedule(const struct stat_section *section)
{
	return section->multiplexed || section->event_class == EVENT_PERF;
}

static size_t num_metrics(const struct stat_report *report, const struct stat_section *section)
{
	// There is a file per class of events; metrics are in one of them only: that of the cores,
	// and if these have no counts, that of the kernel's events.
	if (section->event_class == EVENT_CORE)
		return report->num_metrics;
	if (section->event_class != EVENT_PERF)
		return 0;
	for (size_t i = 0; i < report->num_sections; i++) {
		const struct stat_section *other = &report->sections[i];
		if (other->event_class == EVENT_CORE && stat_section_has_counts(other))
			return 0;
	}
	return report->num_metrics;
}

static size_t num_columns(const struct stat_report *report, const struct stat_section *section)
{
	size_t per_event = has_schedule(section) ? 2 : 1, num_visible = 0;
	for (size_t i = 0; i < section->num_events; i++)
		num_visible += !section->events[i].is_hidden;
	return section->counts->num_units * num_visible * per_event + num_metrics(report, section);
}

/** What a row has below each event of each unit, and below each metric. */
struct csv_row {
	void (*add_event)(const struct stat_section *section, size_t unit, size_t column,
			  FILE *stream);
	void (*add_metric)(const struct stat_report *report, const struct stat_metric *metric,
			   FILE *stream);
};

static void timeline_csv_write_row(const struct csv_row *row, const struct stat_report *report,
				   const struct stat_section *section, FILE *stream)
{
	for (size_t unit = 0; unit < section->counts->num_units; unit++) {
		for (size_t i = 0; i < section->num_events; i++) {
			if (!section->events[i].is_hidden)
				row->add_event(section, unit, i, stream);
		}
	}
	size_t count = num_metrics(report, section);
	for (size_t i = 0; i < count; i++)
		row->add_metric(report, &report->metrics[i], stream);
	fputc('\n', stream);
}

static void add_event_label(const struct stat_section *section, size_t unit, size_t column,
			    FILE *stream)
{
	struct stat_unit_label buffer;
	const char *label = stat_section_unit_label(section, unit, &buffer);
	timeline_csv_add_cell(label, stream);
	if (has_schedule(section))
		timeline_csv_add_cell(label, stream);
}

static void add_metric_label(const struct stat_report *report, const struct stat_metric *metric,
			     FILE *stream)
{
	// The cores of a metric are numbers, or "all".
	if (isdigit((unsigned char)metric->core[0]))
		fputs("core ", stream);
	timeline_csv_add_cell(metric->core, stream);
}

static void add_event_name(const struct stat_section *section, size_t unit, size_t column,
			   FILE *stream)
{
	const struct stat_event *event = &section->events[column];
	timeline_csv_write_text(event->name, stream);
	if (stat_event_has_scale(event) && *event->unit) {
		fputs(" (", stream);
		timeline_csv_write_text(event->unit, stream);
		fputc(')', stream);
	}
	fputc(',', stream);
	if (has_schedule(section))
		timeline_csv_add_cell(section->event_class == EVENT_PERF ? "running_percent"
									 : "sched_times",
				      stream);
}

static void add_metric_name(const struct stat_report *report, const struct stat_metric *metric,
			    FILE *stream)
{
	fputs("M@", stream);
	timeline_csv_add_cell(metric->metric_name, stream);
}

static void add_event_value(const struct stat_section *section, size_t unit, size_t column,
			    FILE *stream)
{
	const struct stat_event *event = &section->events[column];
	const struct count *count = count_set_at(section->counts, unit, column);
	if (event->is_absent)
		timeline_csv_add_cell("", stream);
	else if (stat_event_has_scale(event))
		timeline_csv_add_cell(
			decimal_fixed((double)count->value * event->scale, STAT_FINE_DECIMALS).text,
			stream);
	else
		add_u64(count->value, stream);
	if (section->event_class == EVENT_PERF)
		timeline_csv_add_cell(decimal_fixed(stat_count_running(count), STAT_DECIMALS).text,
				      stream);
	else if (has_schedule(section))
		add_u64(count->scheduled, stream);
}

static void timeline_csv_add_metric_value(const struct stat_report *report,
					  const struct stat_metric *metric, FILE *stream)
{
	timeline_csv_add_cell(isnan(metric->value)
				      ? ""
				      : decimal_fixed(metric->value, report->metric_precision).text,
			      stream);
}

static void write_fact(const char *name, const char *value, FILE *stream)
{
	fprintf(stream, "%s,", name);
	timeline_csv_write_text(value, stream);
	fputc('\n', stream);
}

static const char *timeline_csv_truth(bool value)
{
	return value ? "TRUE" : "FALSE";
}

struct error *timeline_csv_begin(struct timeline_csv *csv, const struct stat_report *report,
				 const struct stat_section *section, double count_interval_s)
{
	static const struct csv_row labels = {add_event_label, add_metric_label};
	static const struct csv_row names = {add_event_name, add_metric_name};
	FILE *stream = csv->stream;
	csv->num_columns = num_columns(report, section);
	write_fact("Multiplexing", timeline_csv_truth(section->multiplexed), stream);
	if (section->event_class == EVENT_CORE || section->event_class == EVENT_PERF)
		write_fact("Kernel mode", timeline_csv_truth(report->kernel_mode), stream);
	write_fact("Count interval", decimal_fixed(count_interval_s, INTERVAL_DECIMALS).text,
		   stream);
	write_fact("Vendor", report->vendor_name, stream);
	write_fact("Event class", event_class_name(section->event_class), stream);
	fputc('\n', stream);
	if (csv->with_timestamps)
		timeline_csv_add_cell("", stream);
	timeline_csv_write_row(&labels, report, section, stream);
	if (csv->with_timestamps)
		timeline_csv_add_cell("timestamp", stream);
	timeline_csv_write_row(&names, report, section, stream);
	return output_stream_flush(stream, csv->name);
}

struct error *timeline_csv_add(struct timeline_csv *csv, const struct stat_report *report,
			       const struct stat_section *section, uint64_t timestamp_ns)
{
	static const struct csv_row values = {add_event_value, timeline_csv_add_metric_value};
	// Values in other columns than those of the head would be read as counts of something else.
	if (num_columns(report, section) != csv->num_columns)
		return error_create(ERROR_FAILED,
				    "a count has %zu values, but %s began with %zu columns",
				    num_columns(report, section), csv->name, csv->num_columns);
	uint64_t ms = timestamp_ns / NS_PER_MS;
	if (csv->with_timestamps)
		fprintf(csv->stream, "%" PRIu64 ".%03" PRIu64 ",", ms / MS_PER_S, ms % MS_PER_S);
	timeline_csv_write_row(&values, report, section, csv->stream);
	return output_stream_flush(csv->stream, csv->name);
}

struct error *timeline_csv_end(struct timeline_csv *csv)
{
	fputc('\n', csv->stream);
	return output_stream_flush(csv->stream, csv->name);
}
