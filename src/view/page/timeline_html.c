// SPDX-License-Identifier: Apache-2.0
#include "view/page/timeline_html.h"

#include "view/json/json_writer.h"
#include "view/output_stream.h"
#include "view/text/stat_section.h"

#include <math.h>

// A page that is complete at any moment: the styles and the script are written first, and each
// count is a data block of its own behind them, flushed at once. The script draws when the page has
// been loaded, with the blocks that are there. HTML needs no closing tags at the end, so that the
// page of a run that was killed works as well.
//
//	<script type="application/json" class="wperf-legend">{"vendor": "Arm Limited", ...,
//	 "sections": [{"class": "core", "units": ["core 0"], "events": [{"name": "cycle"}, ...]}]}
//	</script>
//	<script type="application/json" class="wperf-count">{"time_ms": 0,
//	 "sections": [[2250000000, 270000000, 123750000]], "metrics": []}</script>

enum { NS_PER_MS = 1000000 };

static const unsigned char page_css[] = {
#include "timeline_page.css.inc"
};

static const unsigned char page_js[] = {
#include "timeline_page.js.inc"
};

/** The policy has browsers refuse whatever would go out to a network. */
static const char page_head[] =
	"<!DOCTYPE html>\n"
	"<html lang=\"en\">\n"
	"<head>\n"
	"<meta charset=\"utf-8\">\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	"style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	"<title>wperf timeline</title>\n";

static const char page_body[] = "</head>\n"
				"<body>\n"
				"<noscript>The charts of this page need JavaScript.</noscript>\n";

static const char page_end[] = "</body>\n</html>\n";

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
		json_key_bool(json, "multiplexed", section->multiplexed);
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

/** What the numbers of each count mean. */
static void write_legend(const struct stat_report *report, double count_interval_s,
			 struct json_writer *json)
{
	json_begin_object(json);
	json_key_text(json, "vendor", report->vendor_name);
	json_key_bool(json, "kernel_mode", report->kernel_mode);
	json_key(json, "count_interval");
	json_double(json, count_interval_s);
	json_key(json, "precision");
	json_i64(json, report->metric_precision);
	write_sections(report, json);
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
				  double count_interval_s)
{
	html->num_values = num_values(report);
	fputs(page_head, html->stream);
	fputs("<style>\n", html->stream);
	fwrite(page_css, 1, sizeof(page_css), html->stream);
	fputs("</style>\n<script>\n", html->stream);
	fwrite(page_js, 1, sizeof(page_js), html->stream);
	fputs("</script>\n", html->stream);
	fputs(page_body, html->stream);
	struct json_writer json = json_html_begin(html->stream, "class", "wperf-legend");
	write_legend(report, count_interval_s, &json);
	return json_html_end(&json, html->name);
}

/** Event by event, and of each all units: as the charts stand on the page. */
static void write_values(const struct stat_section *section, struct json_writer *json)
{
	json_begin_array(json);
	for (size_t i = 0; i < section->num_events; i++) {
		const struct stat_event *event = &section->events[i];
		if (event->is_hidden)
			continue;
		for (size_t unit = 0; unit < section->counts->num_units; unit++) {
			const struct count *count = count_set_at(section->counts, unit, i);
			uint64_t value =
				count_is_measured(count) ? count_scaled(count) : count->value;
			if (stat_missing_text(event, count))
				// JSON has null for it, and the chart a gap.
				json_double(json, NAN);
			else if (stat_event_has_scale(event))
				json_fixed(json, (double)value * event->scale, STAT_FINE_DECIMALS);
			else
				json_u64(json, value);
		}
	}
	json_end_array(json);
}

struct error *timeline_html_add(struct timeline_html *html, const struct stat_report *report,
				uint64_t timestamp_ns)
{
	// As in timeline_csv.c, values go by their place.
	if (num_values(report) != html->num_values)
		return error_create(ERROR_FAILED,
				    "a count has %zu values, but %s began with %zu columns",
				    num_values(report), html->name, html->num_values);
	struct json_writer json = json_html_begin(html->stream, "class", "wperf-count");
	json_begin_object(&json);
	json_key_u64(&json, "time_ms", timestamp_ns / NS_PER_MS);
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
	fputs(page_end, html->stream);
	return output_stream_flush(html->stream, html->name);
}
