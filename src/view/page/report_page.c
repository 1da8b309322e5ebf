// SPDX-License-Identifier: Apache-2.0
#include "view/page/report_page.h"

#include "base/container/array.h"
#include "profile/hot/event_ratio.h"
#include "profile/idle_samples.h"
#include "profile/memory/memory_event.h"
#include "view/json/json_writer.h"
#include "view/output_stream.h"
#include "view/page/page_head.h"
#include "view/page/report_samples.h"
#include "view/text/hot_files.h"
#include "view/text/report_columns.h"

#include <stdlib.h>
#include <string.h>

// The page is written from top to bottom: head and styles, data blocks, scripts. Data stand in
// script elements of types that browsers do not run: JSON for texts and what is small, packed
// columns for what is large (report_columns.c). The scripts come last and find all data there. They
// are embedded files (report_page/), so that they can be edited, checked and tested as scripts.
//
// Strings get new numbers on the page, in the order of their first use: those that no column refers
// to, such as paths of modules, are left out.
//
//	<style>...</style>
//	<script type="application/json" id="wperf-strings">...</script>
//	<script type="application/json" id="wperf-summary">...</script>
//	<script type="application/octet-stream" id="wperf-function-name">...</script>, ...
//	<script type="application/json" id="wperf-sources">, "wperf-listings", "wperf-spe"
//	<script>...</script>

enum {
	NS_PER_MS = 1000000,
	DEFAULT_SOURCE_BYTES = 4 << 20,
};

static const unsigned char page_css[] = {
#include "report_page.css.inc"
};
static const unsigned char views_css[] = {
#include "report_views.css.inc"
};
static const unsigned char details_css[] = {
#include "report_details.css.inc"
};
static const unsigned char screens_css[] = {
#include "report_screens.css.inc"
};
static const unsigned char parts_js[] = {
#include "page_parts.js.inc"
};
static const unsigned char names_js[] = {
#include "report_names.js.inc"
};
static const unsigned char data_js[] = {
#include "report_data.js.inc"
};
static const unsigned char rules_js[] = {
#include "report_rules.js.inc"
};
static const unsigned char sums_js[] = {
#include "report_sums.js.inc"
};
static const unsigned char tree_js[] = {
#include "report_tree.js.inc"
};
static const unsigned char time_js[] = {
#include "report_time.js.inc"
};
static const unsigned char graph_js[] = {
#include "report_graph.js.inc"
};
static const unsigned char tracks_js[] = {
#include "report_tracks.js.inc"
};
static const unsigned char tables_js[] = {
#include "report_tables.js.inc"
};
static const unsigned char code_js[] = {
#include "report_code.js.inc"
};
static const unsigned char spe_js[] = {
#include "report_spe.js.inc"
};
static const unsigned char inspector_js[] = {
#include "report_inspector.js.inc"
};
static const unsigned char outline_js[] = {
#include "report_outline.js.inc"
};
static const unsigned char menu_js[] = {
#include "report_menu.js.inc"
};
static const unsigned char header_js[] = {
#include "report_header.js.inc"
};
static const unsigned char keys_js[] = {
#include "report_keys.js.inc"
};
static const unsigned char steps_js[] = {
#include "report_steps.js.inc"
};
static const unsigned char main_js[] = {
#include "report_main.js.inc"
};

struct page_part {
	const unsigned char *text;
	size_t size;
};

/** Those for some screens come last, as they take back rules of the others. */
static const struct page_part page_styles[] = {
	{page_css, sizeof(page_css)},
	{views_css, sizeof(views_css)},
	{details_css, sizeof(details_css)},
	{screens_css, sizeof(screens_css)},
};

static const struct page_part page_scripts[] = {
	{parts_js, sizeof(parts_js)},         {names_js, sizeof(names_js)},
	{data_js, sizeof(data_js)},           {rules_js, sizeof(rules_js)},
	{sums_js, sizeof(sums_js)},           {tree_js, sizeof(tree_js)},
	{time_js, sizeof(time_js)},           {graph_js, sizeof(graph_js)},
	{tracks_js, sizeof(tracks_js)},       {tables_js, sizeof(tables_js)},
	{code_js, sizeof(code_js)},           {spe_js, sizeof(spe_js)},
	{inspector_js, sizeof(inspector_js)}, {outline_js, sizeof(outline_js)},
	{menu_js, sizeof(menu_js)},           {header_js, sizeof(header_js)},
	{keys_js, sizeof(keys_js)},           {steps_js, sizeof(steps_js)},
	{main_js, sizeof(main_js)},
};

static const char page_body[] = "</head>\n"
				"<body>\n"
				"<noscript>This page needs JavaScript.</noscript>\n";

/** What the parts of one page share while it is written. */
struct page {
	FILE *stream;
	const char *name;
	const struct named_profile *profile;
	const struct report_page_options *options;
	struct report_samples samples;
	struct hot_files files;
	uint32_t *string_numbers; /* on the page, by id in the profile; 0 is "" in both */
};

static void page_deinit(struct page *page)
{
	free(page->string_numbers);
	hot_files_deinit(&page->files);
	report_samples_deinit(&page->samples);
}

static void key_string(const struct page *page, struct json_writer *json, const char *key,
		       uint32_t string)
{
	json_key_text(json, key, named_profile_text(page->profile, string));
}

/** Numbers the string if it has none yet, and writes it as the next of the block. */
static void report_page_write_string(struct page *page, struct json_writer *json, uint32_t string,
				     uint32_t *last)
{
	// String 0 is the empty one, which has been written as the first.
	if (string == 0 || page->string_numbers[string])
		return;
	page->string_numbers[string] = ++*last;
	json_text(json, named_profile_text(page->profile, string));
}

/** Those that columns refer to: names and files of functions, files of frames. */
static struct error *report_page_write_strings(struct page *page)
{
	const struct named_profile *profile = page->profile;
	page->string_numbers =
		calloc(profile->strings.num_entries + 1, sizeof(*page->string_numbers));
	if (!page->string_numbers)
		return &error_no_memory;
	struct json_writer json = json_html_begin(page->stream, "id", "wperf-strings");
	json_begin_array(&json);
	json_text(&json, "");
	uint32_t last = 0;
	for (size_t i = 0; i < profile->num_functions; i++) {
		report_page_write_string(page, &json, profile->functions[i].name, &last);
		report_page_write_string(page, &json, profile->functions[i].file, &last);
	}
	for (size_t i = 0; i < profile->num_frames; i++)
		report_page_write_string(page, &json, profile->frames[i].file, &last);
	json_end_array(&json);
	return json_html_end(&json, page->name);
}

/** By the name of its other event: of a page of two recordings, each has one. */
static void report_page_write_ratio(const struct page *page, uint32_t event,
				    struct json_writer *json)
{
	struct event_ratio ratio;
	json_key(json, "ratio");
	if (!event_ratio_find(page->profile, event, &ratio)) {
		json_none(json);
		return;
	}
	json_begin_object(json);
	json_key_text(json, "name", ratio.name);
	json_key(json, "factor");
	json_double(json, ratio.factor);
	key_string(page, json, "instructions", page->profile->events[ratio.instructions].name);
	json_end_object(json);
}

static void report_page_write_event(const struct page *page, uint32_t number,
				    struct json_writer *json)
{
	const struct named_event *event = &page->profile->events[number];
	const struct profile_join *join = page->options->join;
	json_begin_object(json);
	key_string(page, json, "name", event->name);
	key_string(page, json, "unit", event->unit);
	key_string(page, json, "model", event->model);
	json_key(json, "isWait");
	json_bool(json, event->is_wait);
	json_key(json, "isWhole");
	json_bool(json, event->is_whole);
	json_key(json, "isAhead");
	json_bool(json, event->is_ahead);
	json_key(json, "isInUse"); // memory, of one moment
	json_bool(json, memory_event_is_in_use(memory_event_of(page->profile, number)));
	json_key_u64(json, "period", event->period);
	json_key_u64(json, "frequency", event->frequency);
	json_key(json, "idlePercent");
	json_double(json, idle_samples_percent(event));
	report_page_write_ratio(page, number, json);
	if (join)
		json_key_u64(json, "recording", profile_join_event_recording(join, number));
	json_end_object(json);
}

static void report_page_write_thread(const struct page *page, size_t number,
				     struct json_writer *json)
{
	const struct named_thread *thread = &page->profile->threads[number];
	const struct profile_join *join = page->options->join;
	json_begin_object(json);
	json_key_u64(json, "pid", thread->pid);
	json_key_u64(json, "tid", thread->tid);
	key_string(page, json, "name", thread->name);
	key_string(page, json, "process", thread->process_name);
	if (join)
		json_key_u64(json, "recording", profile_join_thread_recording(join, number));
	json_end_object(json);
}

static void write_recording(const struct page *page, const struct joined_recording *recording,
			    struct json_writer *json)
{
	const struct named_collection *facts = &recording->collection;
	key_string(page, json, "command", recording->command_line);
	key_string(page, json, "host", recording->host);
	key_string(page, json, "system", recording->system);
	key_string(page, json, "machine", recording->machine);
	if (facts->way) {
		json_key(json, "python");
		json_begin_object(json);
		key_string(page, json, "words", facts->words);
		json_key_u64(json, "samples", facts->num_samples);
		json_key_u64(json, "without", facts->num_without);
		json_key_u64(json, "meanNs", facts->mean_skew_ns);
		json_key_u64(json, "maxNs", facts->max_skew_ns);
		json_end_object(json);
	}
	json_key_u64(json, "startMs", recording->start_wall_ns / NS_PER_MS);
	json_key_u64(json, "durationNs", recording->duration_ns);
	json_key_u64(json, "lost", recording->num_lost);
	// Slots are those of the whole page: two recordings share them.
	json_key_u64(json, "slotNs", page->samples.slot_ns);
	json_key_u64(json, "numSlots", page->samples.num_slots);
}

/** Of a page of two, the first recording stands where that of other pages does, and once more
 *  beside the second. */
static void report_page_write_recordings(const struct page *page, struct json_writer *json)
{
	const struct profile_join *join = page->options->join;
	const char *title = page->options->title;
	json_key_text(json, "title", title ? title : "wperf report");
	json_key(json, "isAnonymous");
	json_bool(json, page->profile->is_anonymous);
	struct joined_recording only = profile_join_describe(page->profile);
	write_recording(page, join ? &join->recordings[0] : &only, json);
	if (!join)
		return;
	json_key(json, "recordings");
	json_begin_array(json);
	for (size_t i = 0; i < ARRAY_SIZE(join->recordings); i++) {
		json_begin_object(json);
		json_key_text(json, "name", page->options->recording_names[i]);
		write_recording(page, &join->recordings[i], json);
		json_end_object(json);
	}
	json_end_array(json);
}

/** A line each; hints stand behind what they are about. */
static void report_page_write_notes(const char *notes, struct json_writer *json)
{
	json_key(json, "notes");
	json_begin_array(json);
	for (const char *line = notes ? notes : ""; *line;) {
		size_t length = strcspn(line, "\n");
		_cleanup_free_ char *text = strndup(line, length);
		if (text && length)
			json_text(json, text);
		line += length + (line[length] == '\n');
	}
	json_end_array(json);
}

/** Slots, the most bytes in each, and those at its end, which hold until the next. Two recordings
 *  would need a track each. */
static void report_page_write_memory(const struct page *page, struct json_writer *json)
{
	const struct memory_curve *curve = &page->profile->memory;
	const struct report_samples *samples = &page->samples;
	if (!curve->num_points || page->options->join)
		return;
	json_key(json, "memory");
	json_begin_array(json);
	for (size_t i = 0; i < curve->num_points; i++) {
		const struct memory_point *point = &curve->points[i];
		uint64_t since_ns =
			point->time_ns > samples->begin_ns ? point->time_ns - samples->begin_ns : 0;
		uint64_t slot = since_ns / samples->slot_ns;
		json_begin_array(json);
		json_u64(json, slot < samples->num_slots ? slot : samples->num_slots - 1);
		json_u64(json, point->most);
		json_u64(json, point->last);
		json_end_array(json);
	}
	json_end_array(json);
}

static struct error *write_summary(const struct page *page)
{
	const struct named_profile *profile = page->profile;
	struct json_writer json = json_html_begin(page->stream, "id", "wperf-summary");
	json_begin_object(&json);
	report_page_write_recordings(page, &json);
	report_page_write_notes(page->options->notes, &json);
	report_page_write_memory(page, &json);
	json_key(&json, "events");
	json_begin_array(&json);
	for (uint32_t i = 0; i < profile->num_events; i++)
		report_page_write_event(page, i, &json);
	json_end_array(&json);
	json_key(&json, "threads");
	json_begin_array(&json);
	for (size_t i = 0; i < profile->num_threads; i++)
		report_page_write_thread(page, i, &json);
	json_end_array(&json);
	json_key(&json, "modules");
	json_begin_array(&json);
	for (size_t i = 0; i < profile->num_modules; i++) {
		json_begin_object(&json);
		key_string(page, &json, "name", profile->modules[i].name);
		key_string(page, &json, "path", profile->modules[i].path);
		json_end_object(&json);
	}
	json_end_array(&json);
	json_end_object(&json);
	return json_html_end(&json, page->name);
}

/** A file as text: NULL if it is none, or longer than @max_size. */
static char *read_source(const struct page *page, const char *path, size_t max_size)
{
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	struct error *err = page->options->open_source(page->options->source_context, path, &map);
	if (err) {
		error_destroy(err);
		return NULL;
	}
	// A NUL is a sign of a file that is no text.
	if (map.size == 0 || map.size > max_size || memchr(map.data, '\0', map.size))
		return NULL;
	return strndup(map.data, map.size);
}

static struct error *report_page_write_sources(const struct page *page)
{
	size_t left = page->options->max_source_bytes;
	// Source code is most of a page: with four megabytes of it, browsers still open it at once.
	left = left ? left : DEFAULT_SOURCE_BYTES;
	struct json_writer json = json_html_begin(page->stream, "id", "wperf-sources");
	json_begin_array(&json);
	// The hottest first (hot_files.c): the limit cuts what matters least.
	for (size_t i = 0; page->options->open_source && i < page->files.num_items; i++) {
		uint32_t file = page->files.items[i].path;
		_cleanup_free_ char *text =
			read_source(page, named_profile_text(page->profile, file), left);
		if (!text)
			continue;
		left -= strlen(text);
		json_begin_object(&json);
		json_key_u64(&json, "file", page->string_numbers[file]);
		json_key_text(&json, "text", text);
		json_end_object(&json);
	}
	json_end_array(&json);
	return json_html_end(&json, page->name);
}

static struct error *write_listings(const struct page *page)
{
	struct json_writer json = json_html_begin(page->stream, "id", "wperf-listings");
	json_begin_array(&json);
	for (size_t i = 0; i < page->options->num_listings; i++) {
		const struct report_listing *listing = &page->options->listings[i];
		json_begin_object(&json);
		json_key_u64(&json, "function", listing->function);
		json_key(&json, "instructions");
		json_begin_array(&json);
		for (size_t j = 0; j < listing->num_instructions; j++) {
			const struct report_instruction *instruction = &listing->instructions[j];
			// A text, since JavaScript's numbers are exact up to 2^53 only.
			char address[2 + 16 + 1];
			snprintf(address, sizeof(address), "0x%llx",
				 (unsigned long long)instruction->address);
			json_begin_array(&json);
			json_text(&json, address);
			json_text(&json, instruction->text);
			json_u64(&json, instruction->line);
			if (instruction->target)
				json_u64(&json, instruction->target);
			json_end_array(&json);
		}
		json_end_array(&json);
		json_end_object(&json);
	}
	json_end_array(&json);
	return json_html_end(&json, page->name);
}

static struct error *write_data(struct page *page)
{
	struct error *err = report_page_write_strings(page);
	if (err)
		return err;
	err = write_summary(page);
	if (err)
		return err;
	const struct report_columns columns = {page->profile, &page->samples, page->string_numbers,
					       page->options->listings,
					       page->options->num_listings};
	report_columns_write(&columns, page->stream);
	err = report_page_write_sources(page);
	if (!err)
		err = write_listings(page);
	if (err)
		return err;
	struct json_writer json = json_html_begin(page->stream, "id", "wperf-spe");
	if (page->options->spe)
		err = spe_report_write_page(page->options->spe, &json);
	else
		// The scripts find null, and not a block that is missing.
		json_none(&json);
	return err ? err : json_html_end(&json, page->name);
}

static void report_page_write_parts(const struct page_part *parts, size_t num_parts, FILE *stream)
{
	for (size_t i = 0; i < num_parts; i++)
		fwrite(parts[i].text, 1, parts[i].size, stream);
}

struct error *report_page_write(FILE *stream, const char *name, const struct named_profile *profile,
				const struct report_page_options *options)
{
	_cleanup_(page_deinit) struct page page = {
		.stream = stream, .name = name, .profile = profile, .options = options};
	struct error *err = report_samples_init(&page.samples, profile, options->step_ns);
	if (err)
		return err;
	err = hot_files_init(&page.files, profile);
	if (err)
		return err;
	page_head_write("wperf report", stream);
	fputs("<style>\n", stream);
	report_page_write_parts(page_styles, ARRAY_SIZE(page_styles), stream);
	if (options->fleet)
		fleet_page_write_styles(stream);
	fputs("</style>\n", stream);
	fputs(page_body, stream);
	if (options->fleet)
		err = fleet_page_write_bar(stream, name, options->fleet);
	if (!err)
		err = write_data(&page);
	if (err)
		return err;
	// The braces keep the names of the scripts out of the page's global scope.
	fputs("<script>\n\"use strict\";\n{\n", stream);
	report_page_write_parts(page_scripts, ARRAY_SIZE(page_scripts), stream);
	fputs("}\n</script>\n</body>\n</html>\n", stream);
	return output_stream_flush(stream, name);
}
