// SPDX-License-Identifier: Apache-2.0

#include "view/firefox.h"

#include "base/array.h"
#include "profile/thread_samples.h"
#include "view/json_writer.h"

#include <inttypes.h>
#include <string.h>

enum { FORMAT_VERSION = 66, GECKO_VERSION = 24, TIME_DECIMALS = 6 };
static const double ns_per_ms = 1e6;
static const double ms_per_s = 1e3;

struct firefox {
	const struct named_profile *profile;
	uint32_t event;
	struct thread_samples samples;
	uint32_t *source_of; /* [string]: number of the source file of this name, or NAMED_NONE */
	uint32_t *files;     /* [source]: its name */
	size_t num_files;
	struct json_writer json;
};

static void firefox_deinit(struct firefox *view)
{
	thread_samples_deinit(&view->samples);
	free(view->source_of);
	free(view->files);
}

static const char *text(const struct firefox *view, uint32_t string)
{
	return named_profile_text(view->profile, string);
}

static struct error *number_files(struct firefox *view)
{
	size_t num_strings = view->profile->strings.num_entries;
	view->source_of = calloc(num_strings, sizeof(*view->source_of));
	view->files = calloc(num_strings, sizeof(*view->files));
	if (!view->source_of || !view->files)
		return &error_no_memory;
	for (size_t i = 0; i < num_strings; i++)
		view->source_of[i] = NAMED_NONE;
	for (size_t i = 0; i < view->profile->num_functions; i++) {
		uint32_t file = view->profile->functions[i].file;
		if (!file || view->source_of[file] != NAMED_NONE)
			continue;
		view->source_of[file] = (uint32_t)view->num_files;
		view->files[view->num_files++] = file;
	}
	return NULL;
}

// A table is an object of arrays of the same length; how a row's value is written says the column.
struct column {
	const char *key;
	void (*write)(struct firefox *view, size_t row);
};

static void write_table(struct firefox *view, const char *key, const struct column *columns,
			size_t num_columns, size_t num_rows)
{
	struct json_writer *json = &view->json;
	json_key(json, key);
	json_begin_object(json);
	for (size_t i = 0; i < num_columns; i++) {
		json_key(json, columns[i].key);
		json_begin_array(json);
		for (size_t row = 0; row < num_rows; row++)
			columns[i].write(view, row);
		json_end_array(json);
	}
	json_key(json, "length");
	json_u64(json, num_rows);
	json_end_object(json);
}

#define WRITE_TABLE(view, key, columns, num_rows) \
	write_table((view), (key), (columns), ARRAY_SIZE(columns), (num_rows))

static void write_null(struct firefox *view, size_t row)
{
	json_none(&view->json);
}

static void write_false(struct firefox *view, size_t row)
{
	json_bool(&view->json, false);
}

static void write_zero(struct firefox *view, size_t row)
{
	json_u64(&view->json, 0);
}

static void write_one(struct firefox *view, size_t row)
{
	json_u64(&view->json, 1);
}

static void write_row_number(struct firefox *view, size_t row)
{
	json_u64(&view->json, row);
}

static void write_unless(struct firefox *view, uint64_t value, uint64_t none)
{
	if (value == none)
		json_none(&view->json);
	else
		json_u64(&view->json, value);
}

static void write_stack_frame(struct firefox *view, size_t row)
{
	json_u64(&view->json, view->profile->stacks.nodes[row].frame);
}

static void write_stack_prefix(struct firefox *view, size_t row)
{
	uint32_t parent = view->profile->stacks.nodes[row].parent;
	json_u64(&view->json, parent == STACK_NONE ? 0 : row - parent);
}

static void write_frame_address(struct firefox *view, size_t row)
{
	uint64_t address = view->profile->frames[row].address;
	json_i64(&view->json, address && address <= INT64_MAX ? (int64_t)address : -1);
}

static void write_frame_inline_depth(struct firefox *view, size_t row)
{
	json_u64(&view->json, view->profile->frames[row].is_inlined);
}

static void write_frame_function(struct firefox *view, size_t row)
{
	json_u64(&view->json, view->profile->frames[row].function);
}

static void write_frame_line(struct firefox *view, size_t row)
{
	write_unless(view, view->profile->frames[row].line, 0);
}

struct category {
	const char *name, *color;
};

// The first one must be grey.
static const struct category categories[] = {
	{"Other", "grey"},    {"Python", "yellow"}, {"Native", "blue"},
	{"Kernel", "orange"}, {"JIT", "green"},
};

static void write_frame_category(struct firefox *view, size_t row)
{
	static const unsigned category_of[] = {
		[FRAME_MARKER] = 0, [FRAME_PYTHON] = 1, [FRAME_NATIVE] = 2,
		[FRAME_KERNEL] = 3, [FRAME_JIT] = 4,
	};
	uint32_t function = view->profile->frames[row].function;
	json_u64(&view->json, category_of[view->profile->functions[function].kind]);
}

static void write_function_name(struct firefox *view, size_t row)
{
	json_u64(&view->json, view->profile->functions[row].name);
}

static void write_function_resource(struct firefox *view, size_t row)
{
	uint32_t module = view->profile->functions[row].module;
	json_i64(&view->json, module == NAMED_NONE ? -1 : (int64_t)module);
}

static void write_function_source(struct firefox *view, size_t row)
{
	uint32_t file = view->profile->functions[row].file;
	write_unless(view, file ? view->source_of[file] : NAMED_NONE, NAMED_NONE);
}

static void write_function_line(struct firefox *view, size_t row)
{
	write_unless(view, view->profile->functions[row].line, 0);
}

static void write_module_name(struct firefox *view, size_t row)
{
	json_u64(&view->json, view->profile->modules[row].name);
}

static void write_file_name(struct firefox *view, size_t row)
{
	json_u64(&view->json, view->files[row]);
}

static const struct column source_columns[] = {
	{"id", write_null},         {"filename", write_file_name}, {"startLine", write_one},
	{"startColumn", write_one}, {"sourceMapURL", write_null},  {"content", write_null},
};

static const struct column location_columns[] = {
	{"source", write_null},
	{"line", write_null},
	{"column", write_null},
};

static const struct column stack_columns[] = {
	{"frame", write_stack_frame},
	{"prefixOffset", write_stack_prefix},
};

static const struct column frame_columns[] = {
	{"address", write_frame_address},
	{"inlineDepth", write_frame_inline_depth},
	{"category", write_frame_category},
	{"subcategory", write_zero},
	{"func", write_frame_function},
	{"nativeSymbol", write_null},
	{"innerWindowID", write_null},
	{"line", write_frame_line},
	{"column", write_null},
	{"originalLocation", write_null},
};

static const struct column function_columns[] = {
	{"isJS", write_false},
	{"relevantForJS", write_false},
	{"name", write_function_name},
	{"resource", write_function_resource},
	{"source", write_function_source},
	{"lineNumber", write_function_line},
	{"columnNumber", write_null},
	{"originalLocation", write_null},
};

// Type 1 of a resource is a library.
static const struct column resource_columns[] = {
	{"lib", write_row_number},
	{"name", write_module_name},
	{"host", write_null},
	{"type", write_one},
};

static const struct column native_symbol_columns[] = {
	{"libIndex", write_null},
	{"address", write_null},
	{"name", write_null},
	{"functionSize", write_null},
};

static void write_strings(struct firefox *view)
{
	json_key(&view->json, "stringArray");
	json_begin_array(&view->json);
	for (uint32_t i = 0; i < view->profile->strings.num_entries; i++)
		json_text(&view->json, text(view, i));
	json_end_array(&view->json);
}

static void write_shared(struct firefox *view)
{
	const struct named_profile *profile = view->profile;
	json_key(&view->json, "shared");
	json_begin_object(&view->json);
	write_strings(view);
	WRITE_TABLE(view, "sources", source_columns, view->num_files);
	WRITE_TABLE(view, "sourceLocationTable", location_columns, 0);
	WRITE_TABLE(view, "stackTable", stack_columns, profile->stacks.num_nodes);
	WRITE_TABLE(view, "frameTable", frame_columns, profile->num_frames);
	WRITE_TABLE(view, "funcTable", function_columns, profile->num_functions);
	WRITE_TABLE(view, "resourceTable", resource_columns, profile->num_modules);
	WRITE_TABLE(view, "nativeSymbols", native_symbol_columns, 0);
	json_end_object(&view->json);
}

static void write_categories(struct json_writer *json)
{
	json_key(json, "categories");
	json_begin_array(json);
	for (size_t i = 0; i < ARRAY_SIZE(categories); i++) {
		json_begin_object(json);
		json_key_text(json, "name", categories[i].name);
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
	if (event->period && strcmp(text(view, event->unit), "nanoseconds") == 0)
		return (double)event->period / ns_per_ms;
	return 1;
}

static void write_empty_array(struct json_writer *json, const char *key)
{
	json_key(json, key);
	json_begin_array(json);
	json_end_array(json);
}

static void write_key_u64(struct json_writer *json, const char *key, uint64_t value)
{
	json_key(json, key);
	json_u64(json, value);
}

static void write_key_bool(struct json_writer *json, const char *key, bool value)
{
	json_key(json, key);
	json_bool(json, value);
}

static void write_units(struct json_writer *json)
{
	json_key(json, "sampleUnits");
	json_begin_object(json);
	json_key_text(json, "time", "ms");
	json_key_text(json, "eventDelay", "ms");
	json_key_text(json, "threadCPUDelta", "ns");
	json_end_object(json);
}

static void write_meta(struct firefox *view)
{
	struct json_writer *json = &view->json;
	const struct named_profile *profile = view->profile;
	json_key(json, "meta");
	json_begin_object(json);
	write_categories(json);
	write_key_bool(json, "debug", false);
	json_key(json, "interval");
	json_double(json, interval_ms(view));
	write_key_u64(json, "preprocessedProfileVersion", FORMAT_VERSION);
	write_key_u64(json, "version", GECKO_VERSION);
	write_key_u64(json, "processType", 0);
	json_key_text(json, "product", text(view, profile->command_line));
	json_key_text(json, "importedFrom", "wperf");
	json_key_text(json, "oscpu", text(view, profile->system));
	write_units(json);
	json_key(json, "startTime");
	json_fixed(json, (double)profile->start_wall_ns / ns_per_ms, TIME_DECIMALS);
	write_key_bool(json, "symbolicated", true);
	write_key_bool(json, "usesOnlyOneStackType", true);
	write_key_bool(json, "sourceCodeIsNotOnSearchfox", true);
	write_key_u64(json, "stackwalk", 1);
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

static void write_lib(struct firefox *view, const struct named_module *module)
{
	struct json_writer *json = &view->json;
	json_begin_object(json);
	json_key_text(json, "arch", text(view, view->profile->machine));
	json_key_text(json, "name", text(view, module->name));
	json_key_text(json, "path", text(view, module->path));
	json_key_text(json, "debugName", text(view, module->name));
	json_key_text(json, "debugPath", text(view, module->path));
	write_breakpad_id(view, text(view, module->build_id));
	json_key(json, "codeId");
	if (module->build_id)
		json_text(json, text(view, module->build_id));
	else
		json_none(json);
	json_end_object(json);
}

static void write_libs(struct firefox *view)
{
	json_key(&view->json, "libs");
	json_begin_array(&view->json);
	for (size_t i = 0; i < view->profile->num_modules; i++)
		write_lib(view, &view->profile->modules[i]);
	json_end_array(&view->json);
}

static const struct named_sample *sample_at(const struct firefox *view, size_t index)
{
	return &view->profile->samples[view->samples.samples[index]];
}

static void write_sample_stack(struct firefox *view, size_t index)
{
	write_unless(view, sample_at(view, index)->stack, STACK_NONE);
}

static void write_sample_count(struct firefox *view, size_t index)
{
	json_u64(&view->json, sample_at(view, index)->count);
}

static void write_sample_column(struct firefox *view, const struct column *column, size_t start,
				size_t end)
{
	json_key(&view->json, column->key);
	json_begin_array(&view->json);
	for (size_t i = start; i < end; i++)
		column->write(view, i);
	json_end_array(&view->json);
}

// The first one is since the recording began.
static void write_time_deltas(struct firefox *view, size_t start, size_t end)
{
	uint64_t last = view->profile->start_time_ns;
	json_key(&view->json, "timeDeltas");
	json_begin_array(&view->json);
	for (size_t i = start; i < end; i++) {
		uint64_t time = sample_at(view, i)->time_ns;
		// Where times are not in order the track goes on, it does not go back.
		json_fixed(&view->json, time > last ? (double)(time - last) / ns_per_ms : 0,
			   TIME_DECIMALS);
		last = time > last ? time : last;
	}
	json_end_array(&view->json);
}

static void write_samples(struct firefox *view, size_t start, size_t end)
{
	static const struct column stacks = {"stack", write_sample_stack};
	static const struct column weights = {"weight", write_sample_count};
	json_key(&view->json, "samples");
	json_begin_object(&view->json);
	write_sample_column(view, &stacks, start, end);
	write_time_deltas(view, start, end);
	write_sample_column(view, &weights, start, end);
	json_key_text(&view->json, "weightType", "samples");
	write_key_u64(&view->json, "length", end - start);
	json_end_object(&view->json);
}

static const struct column marker_columns[] = {
	{"data", write_null},    {"name", write_null},  {"startTime", write_null},
	{"endTime", write_null}, {"phase", write_null}, {"category", write_null},
};

static void write_thread(struct firefox *view, size_t index)
{
	const struct named_thread *thread = &view->profile->threads[index];
	size_t start = view->samples.starts[index];
	size_t end = view->samples.starts[index + 1];
	struct json_writer *json = &view->json;
	if (start == end)
		return;
	json_begin_object(json);
	json_key_text(json, "processType", "default");
	write_key_u64(json, "processStartupTime", 0);
	json_key(json, "processShutdownTime");
	json_none(json);
	write_key_u64(json, "registerTime", 0);
	json_key(json, "unregisterTime");
	json_none(json);
	write_empty_array(json, "pausedRanges");
	json_key_text(json, "name", text(view, thread->name));
	json_key_text(json, "processName", text(view, thread->process_name));
	write_key_bool(json, "isMainThread", thread->pid == thread->tid);
	write_key_bool(json, "showMarkersInTimeline", false);
	char pid[16];
	snprintf(pid, sizeof(pid), "%" PRIu32, thread->pid);
	json_key_text(json, "pid", pid);
	write_key_u64(json, "tid", thread->tid);
	write_samples(view, start, end);
	WRITE_TABLE(view, "markers", marker_columns, 0);
	json_end_object(json);
}

static void write_document(struct firefox *view)
{
	struct json_writer *json = &view->json;
	json_begin_object(json);
	write_meta(view);
	write_libs(view);
	write_shared(view);
	json_key(json, "threads");
	json_begin_array(json);
	for (size_t i = 0; i < view->profile->num_threads; i++)
		write_thread(view, i);
	json_end_array(json);
	write_empty_array(json, "pages");
	write_empty_array(json, "profilerOverhead");
	write_empty_array(json, "counters");
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
	struct error *err = number_files(&view);
	if (!err)
		err = thread_samples_create(profile, event, &view.samples);
	if (err)
		return err;
	write_document(&view);
	return json_finish(&view.json, name);
}
