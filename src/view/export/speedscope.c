// SPDX-License-Identifier: Apache-2.0

#include "view/export/speedscope.h"

#include "profile/thread_samples.h"
#include "view/json/json_writer.h"

#include <string.h>

// speedscope's own format (its schema is at the address in "$schema"): a list of frames that all
// profiles share, and one "sampled" profile per thread with two lists of the same length, stacks
// and weights. A stack is a list of frames from the outermost to the innermost, written anew for
// each sample, as the format has no tree of stacks.
//
// Frames are functions, not places: a function with samples in many lines is one row in speedscope.
//
//	{"shared": {"frames": [{"name": "main", "file": "a.c", "line": 3}, ...]},
//	 "profiles": [{"type": "sampled", "name": "loop", "unit": "nanoseconds", "startValue": 0,
//	               "samples": [[0, 1], [0, 2, 5], ...], "weights": [1001001, 1001001, ...],
//	               "endValue": 141141141}]}

struct speedscope {
	const struct named_profile *profile;
	struct thread_samples samples;
	uint32_t *path; /* room for the deepest stack */
	const char *unit;
	struct json_writer json;
};

static void speedscope_deinit(struct speedscope *view)
{
	thread_samples_deinit(&view->samples);
	free(view->path);
}

static const char *speedscope_text(const struct speedscope *view, uint32_t string)
{
	return named_profile_text(view->profile, string);
}

static void write_frames(struct speedscope *view)
{
	struct json_writer *json = &view->json;
	json_key(json, "frames");
	json_begin_array(json);
	for (size_t i = 0; i < view->profile->num_functions; i++) {
		const struct named_function *function = &view->profile->functions[i];
		json_begin_object(json);
		json_key_text(json, "name", speedscope_text(view, function->name));
		if (function->file)
			json_key_text(json, "file", speedscope_text(view, function->file));
		if (function->line) {
			json_key_u64(json, "line", function->line);
		}
		json_end_object(json);
	}
	json_end_array(json);
}

static const struct named_sample *speedscope_sample_at(const struct speedscope *view, size_t index)
{
	return &view->profile->samples[view->samples.samples[index]];
}

static void speedscope_write_samples(struct speedscope *view, size_t start, size_t end)
{
	const struct named_profile *profile = view->profile;
	const struct stack_node *nodes = profile->stacks.nodes;
	json_key(&view->json, "samples");
	json_begin_array(&view->json);
	for (size_t i = start; i < end; i++) {
		uint32_t stack = speedscope_sample_at(view, i)->stack;
		size_t length = 0;
		for (; stack != STACK_NONE; stack = nodes[stack].parent)
			view->path[length++] = profile->frames[nodes[stack].frame].function;
		json_begin_array(&view->json);
		while (length > 0)
			json_u64(&view->json, view->path[--length]);
		json_end_array(&view->json);
	}
	json_end_array(&view->json);
}

static void speedscope_write_thread(struct speedscope *view, size_t thread)
{
	size_t start = view->samples.starts[thread];
	size_t end = view->samples.starts[thread + 1];
	struct json_writer *json = &view->json;
	if (start == end)
		return;
	json_begin_object(json);
	json_key_text(json, "type", "sampled");
	json_key_text(json, "name", speedscope_text(view, view->profile->threads[thread].name));
	json_key_text(json, "unit", view->unit);
	json_key_u64(json, "startValue", 0);
	speedscope_write_samples(view, start, end);
	uint64_t sum = 0;
	json_key(json, "weights");
	json_begin_array(json);
	for (size_t i = start; i < end; i++) {
		uint64_t weight = speedscope_sample_at(view, i)->weight;
		json_u64(json, weight);
		sum += weight;
	}
	json_end_array(json);
	// The time axis of a profile is the sum of its weights.
	json_key_u64(json, "endValue", sum);
	json_end_object(json);
}

static void speedscope_write_document(struct speedscope *view)
{
	struct json_writer *json = &view->json;
	json_begin_object(json);
	json_key_text(json, "$schema", "https://www.speedscope.app/file-format-schema.json");
	json_key_text(json, "exporter", "wperf");
	json_key_text(json, "name", speedscope_text(view, view->profile->command_line));
	json_key(json, "shared");
	json_begin_object(json);
	write_frames(view);
	json_end_object(json);
	json_key(json, "profiles");
	json_begin_array(json);
	for (size_t i = 0; i < view->profile->num_threads; i++)
		speedscope_write_thread(view, i);
	json_end_array(json);
	json_end_object(json);
}

struct error *speedscope_write(const struct named_profile *profile, uint32_t event, FILE *stream,
			       const char *name)
{
	static const char nanoseconds[] = "nanoseconds";
	_cleanup_(speedscope_deinit) struct speedscope view = {
		.profile = profile,
		.unit = "none",
		.json = json_writer_create(stream),
		.path = calloc(stack_table_max_depth(&profile->stacks) + 1, sizeof(*view.path)),
	};
	if (!view.path)
		return &error_no_memory;
	// speedscope knows these two, among others.
	if (named_event_is_bytes(profile, event))
		view.unit = "bytes";
	else if (event < profile->num_events &&
		 strcmp(speedscope_text(&view, profile->events[event].unit), nanoseconds) == 0)
		view.unit = nanoseconds;
	struct error *err = thread_samples_create(profile, event, &view.samples);
	if (err)
		return err;
	speedscope_write_document(&view);
	return json_finish(&view.json, name);
}
