// SPDX-License-Identifier: Apache-2.0
#include "view/page/fleet_page.h"

#include "base/container/array.h"
#include "view/json/json_writer.h"
#include "view/output_stream.h"
#include "view/page/page_head.h"

// The data of the bar stand in one block of JSON before its scripts, and the report's data behind
// them: the browser draws the bar while the rest still arrives.
//
//	<script type="application/json" id="wperf-fleet">{"nowMs": 1772368205000,
//	 "services": [{"name": "shop", "events": [{"name": "cycles", ...}], "heat": null, ...}],
//	 "bars": [{"choice": {...}, "labels": [{"key": "host.name", "value": "web-1"}],
//	           "heat": {"startMs": ..., "stepMs": ..., "weights": [0, 1500]}}],
//	 "problem": null}</script>
//	<script>...</script>

enum { NS_PER_MS = 1000000 };

static const unsigned char report_css[] = {
#include "report_page.css.inc"
};
static const unsigned char screens_css[] = {
#include "report_screens.css.inc"
};
static const unsigned char fleet_css[] = {
#include "fleet_page.css.inc"
};
static const unsigned char parts_js[] = {
#include "page_parts.js.inc"
};
static const unsigned char names_js[] = {
#include "report_names.js.inc"
};
static const unsigned char times_js[] = {
#include "fleet_times.js.inc"
};
static const unsigned char choice_js[] = {
#include "fleet_choice.js.inc"
};
static const unsigned char heat_js[] = {
#include "fleet_heat.js.inc"
};
static const unsigned char hosts_js[] = {
#include "fleet_hosts.js.inc"
};
static const unsigned char picker_js[] = {
#include "fleet_picker.js.inc"
};
static const unsigned char dialogs_js[] = {
#include "fleet_dialogs.js.inc"
};
static const unsigned char bar_js[] = {
#include "fleet_bar.js.inc"
};
static const unsigned char start_js[] = {
#include "fleet_start.js.inc"
};
static const unsigned char main_js[] = {
#include "fleet_main.js.inc"
};

static const struct fleet_page_script {
	const unsigned char *text;
	size_t size;
} fleet_page_scripts[] = {
	{parts_js, sizeof(parts_js)},   {names_js, sizeof(names_js)},
	{times_js, sizeof(times_js)},   {choice_js, sizeof(choice_js)},
	{heat_js, sizeof(heat_js)},     {hosts_js, sizeof(hosts_js)},
	{picker_js, sizeof(picker_js)}, {dialogs_js, sizeof(dialogs_js)},
	{bar_js, sizeof(bar_js)},       {start_js, sizeof(start_js)},
	{main_js, sizeof(main_js)},
};

static void fleet_page_key_text(struct json_writer *json, const char *key, const char *text)
{
	json_key(json, key);
	if (text)
		json_text(json, text);
	else
		json_none(json);
}

static void fleet_page_write_labels(const struct fleet_page_label *labels, size_t num_labels,
				    struct json_writer *json)
{
	json_key(json, "labels");
	json_begin_array(json);
	for (size_t i = 0; i < num_labels; i++) {
		json_begin_object(json);
		json_key_text(json, "key", labels[i].key);
		json_key_text(json, "value", labels[i].value);
		json_end_object(json);
	}
	json_end_array(json);
}

static void fleet_page_write_heat(const struct fleet_page_heat *heat, struct json_writer *json)
{
	json_key(json, "heat");
	if (!heat) {
		json_none(json);
		return;
	}
	json_begin_object(json);
	json_key_text(json, "event", heat->event);
	json_key_text(json, "unit", heat->unit);
	json_key_u64(json, "startMs", heat->start_ns / NS_PER_MS);
	json_key_u64(json, "stepMs", heat->step_ns / NS_PER_MS);
	json_key(json, "weights");
	json_begin_array(json);
	for (size_t i = 0; i < heat->num_steps; i++)
		json_u64(json, heat->weights[i]);
	json_end_array(json);
	json_end_object(json);
}

static void fleet_page_write_hosts(const struct fleet_page_hosts *hosts, struct json_writer *json)
{
	json_key(json, "hosts");
	if (!hosts) {
		json_none(json);
		return;
	}
	json_begin_object(json);
	json_key_text(json, "event", hosts->event);
	json_key_text(json, "unit", hosts->unit);
	json_key_u64(json, "startMs", hosts->start_ns / NS_PER_MS);
	json_key_u64(json, "stepMs", hosts->step_ns / NS_PER_MS);
	json_key_u64(json, "leftOut", hosts->num_left_out);
	json_key(json, "rows");
	json_begin_array(json);
	for (size_t i = 0; i < hosts->num_hosts; i++) {
		json_begin_object(json);
		json_key_text(json, "name", hosts->hosts[i].name);
		json_key(json, "weights");
		json_begin_array(json);
		for (size_t j = 0; j < hosts->num_steps; j++)
			json_u64(json, hosts->hosts[i].weights[j]);
		json_end_array(json);
		json_end_object(json);
	}
	json_end_array(json);
	json_end_object(json);
}

static void fleet_page_write_service(const struct fleet_page_service *service,
				     struct json_writer *json)
{
	json_begin_object(json);
	json_key_text(json, "name", service->name);
	json_key(json, "events");
	json_begin_array(json);
	for (size_t i = 0; i < service->num_events; i++) {
		const struct fleet_page_event *event = &service->events[i];
		json_begin_object(json);
		json_key_text(json, "name", event->name);
		json_key_text(json, "unit", event->unit);
		json_key_u64(json, "firstMs", event->first_ns / NS_PER_MS);
		json_key_u64(json, "endMs", event->end_ns / NS_PER_MS);
		json_end_object(json);
	}
	json_end_array(json);
	json_key_u64(json, "batches", service->num_batches);
	json_key_u64(json, "dropped", service->num_dropped);
	json_key_u64(json, "lost", service->num_lost);
	fleet_page_write_heat(service->heat, json);
	json_end_object(json);
}

static void fleet_page_write_choice(const struct fleet_page_choice *choice,
				    struct json_writer *json)
{
	json_key(json, "choice");
	json_begin_object(json);
	json_key_text(json, "service", choice->service);
	fleet_page_key_text(json, "event", choice->event);
	fleet_page_write_labels(choice->labels, choice->num_labels, json);
	fleet_page_key_text(json, "since", choice->since);
	fleet_page_key_text(json, "until", choice->until);
	json_key(json, "isByHost");
	json_bool(json, choice->is_by_host);
	json_key_u64(json, "fromMs", choice->from_ns / NS_PER_MS);
	json_key_u64(json, "untilMs", choice->until_ns / NS_PER_MS);
	json_end_object(json);
}

static void fleet_page_write_problem(const struct fleet_page *page, struct json_writer *json)
{
	json_key(json, "problem");
	if (!page->problem) {
		json_none(json);
		return;
	}
	json_begin_object(json);
	json_key_text(json, "words", page->problem);
	fleet_page_key_text(json, "hint", page->hint);
	json_end_object(json);
}

static struct error *fleet_page_write_data(FILE *stream, const char *name,
					   const struct fleet_page *page)
{
	struct json_writer json = json_html_begin(stream, "id", "wperf-fleet");
	json_begin_object(&json);
	json_key_u64(&json, "nowMs", page->now_ns / NS_PER_MS);
	json_key_u64(&json, "heatUntilMs", page->heat_until_ns / NS_PER_MS);
	json_key(&json, "services");
	json_begin_array(&json);
	for (size_t i = 0; i < page->num_services; i++)
		fleet_page_write_service(&page->services[i], &json);
	json_end_array(&json);
	json_key(&json, "bars");
	json_begin_array(&json);
	for (size_t i = 0; i < page->num_bars; i++) {
		json_begin_object(&json);
		fleet_page_write_choice(&page->bars[i].choice, &json);
		fleet_page_write_labels(page->bars[i].labels, page->bars[i].num_labels, &json);
		fleet_page_write_heat(page->bars[i].heat, &json);
		fleet_page_write_hosts(page->bars[i].hosts, &json);
		json_end_object(&json);
	}
	json_end_array(&json);
	fleet_page_write_problem(page, &json);
	json_end_object(&json);
	return json_html_end(&json, name);
}

void fleet_page_write_styles(FILE *stream)
{
	fwrite(fleet_css, 1, sizeof(fleet_css), stream);
}

struct error *fleet_page_write_bar(FILE *stream, const char *name, const struct fleet_page *page)
{
	struct error *err = fleet_page_write_data(stream, name, page);
	if (err)
		return err;
	fputs("<script>\n\"use strict\";\n{\n", stream);
	for (size_t i = 0; i < ARRAY_SIZE(fleet_page_scripts); i++)
		fwrite(fleet_page_scripts[i].text, 1, fleet_page_scripts[i].size, stream);
	fputs("}\n</script>\n", stream);
	return NULL;
}

struct error *fleet_page_write(FILE *stream, const char *name, const struct fleet_page *page)
{
	page_head_write("wperf", stream);
	fputs("<style>\n", stream);
	fwrite(report_css, 1, sizeof(report_css), stream);
	fwrite(screens_css, 1, sizeof(screens_css), stream);
	fleet_page_write_styles(stream);
	fputs("</style>\n</head>\n<body>\n<noscript>This page needs JavaScript.</noscript>\n",
	      stream);
	struct error *err = fleet_page_write_bar(stream, name, page);
	if (err)
		return err;
	fputs("</body>\n</html>\n", stream);
	return output_stream_flush(stream, name);
}
