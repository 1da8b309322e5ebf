// SPDX-License-Identifier: Apache-2.0
#include "view/page/timeline_html.h"

#include "base/container/array.h"
#include "catalog/topdown.h"
#include "view/json/json_writer.h"
#include "view/output_stream.h"
#include "view/page/page_head.h"
#include "view/text/stat_section.h"

#include <math.h>
#include <string.h>

// A page that is complete at any moment: the styles and the script are written first, and each
// count is a data block of its own behind them, flushed at once. The script draws when the page has
// been loaded, with the blocks that are there. HTML needs no closing tags at the end, so that the
// page of a run that was killed works as well; it lacks the last block, by which the script knows.
//
//	<script type="application/json" class="wperf-legend">{"command": "wperf stat ...", ...,
//	 "sections": [{"class": "core", "units": ["core 0"], "events": [{"name": "cycle"}, ...]}]}
//	</script>
//	<script type="application/json" class="wperf-count">{"time_ms": 0, "start_us": 0,
//	 "length_us": 1000000, "multiplexed": false,
//	 "sections": [[2250000000, null, false]], "metrics": []}</script>
//	<script type="application/json" class="wperf-end">{}</script>
//
// A value is null if its event never had a counter in this count, and false if the machine cannot
// count it.

enum { NS_PER_MS = 1000000, NS_PER_US = 1000 };

static const unsigned char page_css[] = {
#include "timeline_page.css.inc"
};
static const unsigned char parts_js[] = {
#include "page_parts.js.inc"
};
static const unsigned char data_js[] = {
#include "timeline_data.js.inc"
};
static const unsigned char axis_js[] = {
#include "timeline_axis.js.inc"
};
static const unsigned char chart_js[] = {
#include "timeline_chart.js.inc"
};
static const unsigned char stack_js[] = {
#include "timeline_stack.js.inc"
};
static const unsigned char main_js[] = {
#include "timeline_main.js.inc"
};

static const struct timeline_script {
	const unsigned char *text;
	size_t size;
} timeline_scripts[] = {
	{parts_js, sizeof(parts_js)}, {data_js, sizeof(data_js)},   {axis_js, sizeof(axis_js)},
	{chart_js, sizeof(chart_js)}, {stack_js, sizeof(stack_js)}, {main_js, sizeof(main_js)},
};

static const char page_body[] = "</head>\n"
				"<body>\n"
				"<noscript>The charts of this page need JavaScript.</noscript>\n";

static const char page_end[] = "</body>\n</html>\n";

struct error *timeline_html_open(struct timeline_html *html)
{
	page_head_write("wperf timeline", html->stream);
	fputs("<style>\n", html->stream);
	fwrite(page_css, 1, sizeof(page_css), html->stream);
	// The braces keep the names of the scripts out of the page's global scope.
	fputs("</style>\n<script>\n\"use strict\";\n{\n", html->stream);
	for (size_t i = 0; i < ARRAY_SIZE(timeline_scripts); i++)
		fwrite(timeline_scripts[i].text, 1, timeline_scripts[i].size, html->stream);
	fputs("}\n</script>\n", html->stream);
	fputs(page_body, html->stream);
	return output_stream_flush(html->stream, html->name);
}

static void timeline_html_write_events(const struct stat_section *section, struct json_writer *json)
{
	json_key(json, "events");
	json_begin_array(json);
	for (size_t i = 0; i < section->num_events; i++) {
		const struct stat_event *event = &section->events[i];
		if (event->is_hidden)
			continue;
		json_begin_object(json);
		json_key_text(json, "name", event->name);
		json_key_text(json, "note", event->note);
		json_key_text(json, "unit", event->unit ? event->unit : "");
		json_end_object(json);
	}
	json_end_array(json);
}

static void write_sections(const struct stat_report *report, struct json_writer *json)
{
	json_key(json, "sections");
	json_begin_array(json);
	for (size_t i = 0; i < report->num_sections; i++) {
		const struct stat_section *section = &report->sections[i];
		json_begin_object(json);
		json_key_text(json, "class", event_class_name(section->event_class));
		json_key(json, "units");
		json_begin_array(json);
		for (size_t unit = 0; unit < section->counts->num_units; unit++) {
			struct stat_unit_label buffer;
			json_text(json, stat_section_unit_label(section, unit, &buffer));
		}
		json_end_array(json);
		timeline_html_write_events(section, json);
		json_end_object(json);
	}
	json_end_array(json);
}

static void timeline_html_write_metrics(const struct stat_report *report, struct json_writer *json)
{
	json_key(json, "metrics");
	json_begin_array(json);
	for (size_t i = 0; i < report->num_metrics; i++) {
		const struct stat_metric *metric = &report->metrics[i];
		json_begin_object(json);
		json_key_text(json, "core", metric->core);
		json_key_text(json, "name", metric->metric_name);
		json_key_text(json, "unit", metric->unit);
		json_end_object(json);
	}
	json_end_array(json);
}

static bool has_metric(const struct stat_report *report, const char *name)
{
	for (size_t i = 0; i < report->num_metrics; i++)
		if (strcmp(report->metrics[i].metric_name, name) == 0)
			return true;
	return false;
}

/** The roots of the tree, and what is counted below them; parents precede their children. */
static void timeline_html_write_topdown(const struct topdown_tree *tree,
					const struct stat_report *report, struct json_writer *json)
{
	struct topdown_row rows[TOPDOWN_MAX_ROWS];
	size_t num_rows = tree ? topdown_flatten(tree, rows) : 0;
	json_key(json, "topdown");
	json_begin_array(json);
	for (size_t i = 0; i < num_rows; i++) {
		const char *metric = rows[i].node->metric;
		bool is_counted = has_metric(report, metric);
		// The stack says which of its roots were not counted.
		if (!is_counted && rows[i].depth)
			continue;
		json_begin_object(json);
		json_key_text(json, "metric", metric);
		json_key_u64(json, "depth", rows[i].depth);
		json_key_bool(json, "counted", is_counted);
		json_end_object(json);
	}
	json_end_array(json);
}

static void key_known(struct json_writer *json, const char *key, const char *text)
{
	json_key_text(json, key, text ? text : "");
}

/** What the numbers of each count mean. */
static void write_legend(const struct stat_report *report, const struct timeline_run *run,
			 struct json_writer *json)
{
	json_begin_object(json);
	key_known(json, "command", run->command);
	key_known(json, "program", run->program);
	key_known(json, "host", run->host);
	key_known(json, "system", run->system);
	key_known(json, "machine", run->machine);
	json_key_text(json, "vendor", report->vendor_name);
	json_key_bool(json, "kernel_mode", report->kernel_mode);
	json_key(json, "count_interval");
	json_double(json, run->count_interval_s);
	json_key(json, "precision");
	json_i64(json, report->metric_precision);
	write_sections(report, json);
	timeline_html_write_metrics(report, json);
	timeline_html_write_topdown(run->topdown, report, json);
	json_end_object(json);
}

static size_t num_values(const struct stat_report *report)
{
	size_t count = report->num_metrics;
	for (size_t i = 0; i < report->num_sections; i++) {
		const struct stat_section *section = &report->sections[i];
		for (size_t j = 0; j < section->num_events; j++) {
			if (!section->events[j].is_hidden)
				count += section->counts->num_units;
		}
	}
	return count;
}

struct error *timeline_html_begin(struct timeline_html *html, const struct stat_report *report,
				  const struct timeline_run *run)
{
	html->num_values = num_values(report);
	struct json_writer json = json_html_begin(html->stream, "class", "wperf-legend");
	write_legend(report, run, &json);
	return json_html_end(&json, html->name);
}

static void timeline_html_write_value(const struct stat_event *event, const struct count *count,
				      struct json_writer *json)
{
	uint64_t value = count_is_measured(count) ? count_scaled(count) : count->value;
	if (event->is_absent)
		json_bool(json, false);
	else if (stat_missing_text(event, count))
		json_none(json);
	else if (stat_event_has_scale(event))
		json_fixed(json, (double)value * event->scale, STAT_FINE_DECIMALS);
	else
		json_u64(json, value);
}

/** Event by event, and of each all units: as the charts stand on the page. */
static void write_values(const struct stat_section *section, struct json_writer *json)
{
	json_begin_array(json);
	for (size_t i = 0; i < section->num_events; i++) {
		const struct stat_event *event = &section->events[i];
		for (size_t unit = 0; !event->is_hidden && unit < section->counts->num_units;
		     unit++)
			timeline_html_write_value(event, count_set_at(section->counts, unit, i),
						  json);
	}
	json_end_array(json);
}

/** The kernel takes turns in some counts and not in others. */
static bool timeline_html_is_multiplexed(const struct stat_report *report)
{
	for (size_t i = 0; i < report->num_sections; i++)
		if (stat_section_is_multiplexed(&report->sections[i]))
			return true;
	return false;
}

struct error *timeline_html_add(struct timeline_html *html, const struct stat_report *report,
				const struct timeline_period *period)
{
	// As in timeline_csv.c, values go by their place.
	if (num_values(report) != html->num_values)
		return error_create(ERROR_FAILED,
				    "a count has %zu values, but %s began with %zu columns",
				    num_values(report), html->name, html->num_values);
	struct json_writer json = json_html_begin(html->stream, "class", "wperf-count");
	json_begin_object(&json);
	json_key_u64(&json, "time_ms", period->time_ns / NS_PER_MS);
	json_key_u64(&json, "start_us", period->start_ns / NS_PER_US);
	json_key_u64(&json, "length_us", period->length_ns / NS_PER_US);
	json_key_bool(&json, "multiplexed", timeline_html_is_multiplexed(report));
	json_key(&json, "sections");
	json_begin_array(&json);
	for (size_t i = 0; i < report->num_sections; i++)
		write_values(&report->sections[i], &json);
	json_end_array(&json);
	json_key(&json, "metrics");
	json_begin_array(&json);
	for (size_t i = 0; i < report->num_metrics; i++)
		json_double(&json, report->metrics[i].value);
	json_end_array(&json);
	json_end_object(&json);
	return json_html_end(&json, html->name);
}

struct error *timeline_html_end(struct timeline_html *html)
{
	struct json_writer json = json_html_begin(html->stream, "class", "wperf-end");
	json_begin_object(&json);
	json_end_object(&json);
	struct error *err = json_html_end(&json, html->name);
	if (err)
		return err;
	fputs(page_end, html->stream);
	return output_stream_flush(html->stream, html->name);
}
