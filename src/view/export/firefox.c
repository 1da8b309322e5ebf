// SPDX-License-Identifier: Apache-2.0

#include "view/export/firefox.h"

#include "base/container/array.h"
#include "profile/thread_samples.h"
#include "view/export/firefox_tables.h"
#include "view/json/json_writer.h"

#include <inttypes.h>
#include <string.h>

// The processed format of the Firefox Profiler, documented in its repository:
// docs-developer/processed-profile-format.md, and CHANGELOG-formats.md there for the versions. A
// document has "meta" (how the profile was taken), "libs" (modules), the tables that all threads
// share (firefox_tables.c), and a list of threads with their samples. Tables are written column by
// column, as the format has them. Keys that the profiler requires but wperf has nothing for are
// there, empty or null.
//
//	{"meta": {...}, "libs": [...], "shared": {"stringArray": [...], "stackTable": {...}, ...},
//	 "threads": [{"name": "loop", "pid": "19562", "tid": 19562,
//	              "samples": {"stack": [0, 1, 3], "timeDeltas": [0, 1.0925, 2.003], ...,
//	                          "weightType": "samples", "length": 3}, ...}]}

enum { FORMAT_VERSION = 66, GECKO_VERSION = 24, TIME_DECIMALS = 6 };
static const double ns_per_ms = 1e6;
static const double ms_per_s = 1e3;

struct firefox {
	const struct named_profile *profile;
	uint32_t event;
	struct thread_samples samples;
	struct json_writer json;
};

static void firefox_deinit(struct firefox *view)
{
	thread_samples_deinit(&view->samples);
}

static const char *firefox_text(const struct firefox *view, uint32_t string)
{
	return named_profile_text(view->profile, string);
}

struct category {
	const char *name; // NULL: that of the language
	const char *color;
};

// The first one must be grey.
static const struct category categories[FIREFOX_NUM_CATEGORIES] = {
	[FIREFOX_OTHER] = {"Other", "grey"},   [FIREFOX_INTERPRETED] = {NULL, "yellow"},
	[FIREFOX_NATIVE] = {"Native", "blue"}, [FIREFOX_KERNEL] = {"Kernel", "orange"},
	[FIREFOX_JIT] = {"JIT", "green"},
};

static void write_categories(const struct named_profile *profile, struct json_writer *json)
{
	json_key(json, "categories");
	json_begin_array(json);
	for (size_t i = 0; i < ARRAY_SIZE(categories); i++) {
		json_begin_object(json);
		json_key_text(json, "name",
			      categories[i].name ? categories[i].name : profile->language->name);
		json_key_text(json, "color", categories[i].color);
		json_key(json, "subcategories");
		json_begin_array(json);
		json_text(json, "Other");
		json_end_array(json);
		json_end_object(json);
	}
	json_end_array(json);
}

// Milliseconds between samples, where the event tells; else a millisecond.
static double interval_ms(const struct firefox *view)
{
	if (view->event >= view->profile->num_events)
		return 1;
	const struct named_event *event = &view->profile->events[view->event];
	if (event->frequency)
		return ms_per_s / (double)event->frequency;
	if (event->period && strcmp(firefox_text(view, event->unit), "nanoseconds") == 0)
		return (double)event->period / ns_per_ms;
	return 1;
}

static void write_empty_array(struct json_writer *json, const char *key)
{
	json_key(json, key);
	json_begin_array(json);
	json_end_array(json);
}

static void write_meta(struct firefox *view)
{
	struct json_writer *json = &view->json;
	const struct named_profile *profile = view->profile;
	json_key(json, "meta");
	json_begin_object(json);
	write_categories(profile, json);
	json_key_bool(json, "debug", false);
	json_key(json, "interval");
	json_double(json, interval_ms(view));
	json_key_u64(json, "preprocessedProfileVersion", FORMAT_VERSION);
	json_key_u64(json, "version", GECKO_VERSION);
	json_key_u64(json, "processType", 0);
	json_key_text(json, "product", firefox_text(view, profile->command_line));
	json_key_text(json, "importedFrom", "wperf");
	json_key_text(json, "oscpu", firefox_text(view, profile->system));
	json_key(json, "sampleUnits");
	json_begin_object(json);
	json_key_text(json, "time", "ms");
	json_key_text(json, "eventDelay", "ms");
	json_key_text(json, "threadCPUDelta", "ns");
	json_end_object(json);
	json_key(json, "startTime");
	json_fixed(json, (double)profile->start_wall_ns / ns_per_ms, TIME_DECIMALS);
	json_key_bool(json, "symbolicated", true);
	// No stacks of JavaScript: otherwise the profiler offers to filter by them.
	json_key_bool(json, "usesOnlyOneStackType", true);
	// Otherwise the profiler offers to look up functions in Mozilla's code search.
	json_key_bool(json, "sourceCodeIsNotOnSearchfox", true);
	json_key_u64(json, "stackwalk", 1);
	write_empty_array(json, "markerSchema");
	json_end_object(json);
}

// The build id as Breakpad writes it: a GUID, whose first three parts are little-endian numbers,
// and the age 0.
static void write_breakpad_id(struct firefox *view, const char *build_id)
{
	enum { GUID_BYTES = 16 };
	static const unsigned places[GUID_BYTES] = {3, 2, 1,  0,  5,  4,  7,  6,
						    8, 9, 10, 11, 12, 13, 14, 15};
	char id[2 * GUID_BYTES + 2];
	memset(id, '0', sizeof(id) - 1);
	id[sizeof(id) - 1] = '\0';
	size_t length = strlen(build_id);
	for (size_t i = 0; i < GUID_BYTES; i++) {
		const char *byte = build_id + 2 * (size_t)places[i];
		if (2 * (size_t)places[i] + 2 <= length)
			memcpy(id + 2 * i, byte, 2);
	}
	json_key_text(&view->json, "breakpadId", id);
}

static void write_libs(struct firefox *view)
{
	struct json_writer *json = &view->json;
	json_key(json, "libs");
	json_begin_array(json);
	for (size_t i = 0; i < view->profile->num_modules; i++) {
		const struct named_module *module = &view->profile->modules[i];
		json_begin_object(json);
		json_key_text(json, "arch", firefox_text(view, view->profile->machine));
		json_key_text(json, "name", firefox_text(view, module->name));
		json_key_text(json, "path", firefox_text(view, module->path));
		json_key_text(json, "debugName", firefox_text(view, module->name));
		json_key_text(json, "debugPath", firefox_text(view, module->path));
		write_breakpad_id(view, firefox_text(view, module->build_id));
		json_key(json, "codeId");
		if (module->build_id)
			json_text(json, firefox_text(view, module->build_id));
		else
			json_none(json);
		json_end_object(json);
	}
	json_end_array(json);
}

static const struct named_sample *firefox_sample_at(const struct firefox *view, size_t index)
{
	return &view->profile->samples[view->samples.samples[index]];
}

// The first one is since the recording began.
static void write_time_deltas(struct firefox *view, size_t start, size_t end)
{
	uint64_t last = view->profile->start_time_ns;
	json_key(&view->json, "timeDeltas");
	json_begin_array(&view->json);
	for (size_t i = start; i < end; i++) {
		uint64_t time = firefox_sample_at(view, i)->time_ns;
		// Where times are not in order the track goes on, it does not go back.
		json_fixed(&view->json, time > last ? (double)(time - last) / ns_per_ms : 0,
			   TIME_DECIMALS);
		last = time > last ? time : last;
	}
	json_end_array(&view->json);
}

static void firefox_write_samples(struct firefox *view, size_t start, size_t end)
{
	struct json_writer *json = &view->json;
	json_key(json, "samples");
	json_begin_object(json);
	json_key(json, "stack");
	json_begin_array(json);
	for (size_t i = start; i < end; i++) {
		uint32_t stack = firefox_sample_at(view, i)->stack;
		if (stack == STACK_NONE)
			json_none(json);
		else
			json_u64(json, stack);
	}
	json_end_array(json);
	write_time_deltas(view, start, end);
	json_key(json, "weight");
	json_begin_array(json);
	for (size_t i = start; i < end; i++)
		json_u64(json, firefox_sample_at(view, i)->count);
	json_end_array(json);
	json_key_text(json, "weightType", "samples");
	json_key_u64(json, "length", end - start);
	json_end_object(json);
}

static void write_no_markers(struct json_writer *json)
{
	static const char *const columns[] = {"data",    "name",  "startTime",
					      "endTime", "phase", "category"};
	json_key(json, "markers");
	json_begin_object(json);
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		write_empty_array(json, columns[i]);
	json_key_u64(json, "length", 0);
	json_end_object(json);
}

static void firefox_write_thread(struct firefox *view, size_t index)
{
	const struct named_thread *thread = &view->profile->threads[index];
	size_t start = view->samples.starts[index];
	size_t end = view->samples.starts[index + 1];
	struct json_writer *json = &view->json;
	// A track without samples only takes up room.
	if (start == end)
		return;
	json_begin_object(json);
	json_key_text(json, "processType", "default");
	json_key_u64(json, "processStartupTime", 0);
	json_key(json, "processShutdownTime");
	json_none(json);
	json_key_u64(json, "registerTime", 0);
	json_key(json, "unregisterTime");
	json_none(json);
	write_empty_array(json, "pausedRanges");
	json_key_text(json, "name", firefox_text(view, thread->name));
	json_key_text(json, "processName", firefox_text(view, thread->process_name));
	json_key_bool(json, "isMainThread", thread->pid == thread->tid);
	json_key_bool(json, "showMarkersInTimeline", false);
	char pid[16];
	snprintf(pid, sizeof(pid), "%" PRIu32, thread->pid);
	json_key_text(json, "pid", pid);
	json_key_u64(json, "tid", thread->tid);
	firefox_write_samples(view, start, end);
	// Every thread must have the table of markers, though wperf has none.
	write_no_markers(json);
	json_end_object(json);
}

struct error *firefox_write(const struct named_profile *profile, uint32_t event, FILE *stream,
			    const char *name)
{
	_cleanup_(firefox_deinit) struct firefox view = {
		.profile = profile,
		.event = event,
		.json = json_writer_create(stream),
	};
	struct json_writer *json = &view.json;
	struct error *err = thread_samples_create(profile, event, &view.samples);
	if (err)
		return err;
	json_begin_object(json);
	write_meta(&view);
	write_libs(&view);
	err = firefox_tables_write(profile, json);
	if (err)
		return err;
	json_key(json, "threads");
	json_begin_array(json);
	for (size_t i = 0; i < profile->num_threads; i++)
		firefox_write_thread(&view, i);
	json_end_array(json);
	write_empty_array(json, "pages");
	write_empty_array(json, "profilerOverhead");
	write_empty_array(json, "counters");
	json_end_object(json);
	return json_finish(json, name);
}
