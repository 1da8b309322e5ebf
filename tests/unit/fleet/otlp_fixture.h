/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_FLEET_OTLP_FIXTURE_H
#define WPERF_TESTS_UNIT_FLEET_OTLP_FIXTURE_H

/** Batches for tests of OTLP: random ones, and all that one says as text, in an order that does not
 *  depend on numbers. Include behind cmocka.h. */

#include "base/text/string_builder.h"
#include "fleet/fleet_batch.h"

#include "tests/unit/profile_fixture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static inline void otlp_fixture_function(struct named_profile *profile, uint32_t number)
{
	static const enum frame_kind kinds[] = {FRAME_NATIVE, FRAME_NATIVE, FRAME_KERNEL, FRAME_JIT,
						FRAME_INTERPRETED};
	char name[32];
	snprintf(name, sizeof(name), "/usr/lib/lib%u.so", number % 4);
	struct named_module module = {
		.name = fixture_string(profile, number % 4 ? name + 9 : "[kernel]"),
		.path = fixture_string(profile, number % 4 == 3 ? "" : name),
		.build_id = fixture_string(profile, number % 4 == 1 ? "00ff8812" : ""),
		.pid = number % 4 * 100,
	};
	snprintf(name, sizeof(name), number % 7 ? "f%u" : "[unknown]", number);
	struct named_function function = {
		.name = fixture_string(profile, name),
		.linkage_name = fixture_string(profile, number % 3 ? "" : "_Z1fv"),
		.file = fixture_string(profile, number % 5 == 1 ? "" : "a.c"),
		.line = number % 5 == 1 ? 0 : number,
		.kind = kinds[number % 5],
	};
	assert_no_error(named_profile_module(profile, &module, &function.module));
	if (number == 9)
		function.module = NAMED_NONE;
	uint32_t index;
	assert_no_error(named_profile_function(profile, &function, &index));
}

/** Frames that are inlined or not, at few addresses, so that many can be lines of one place. */
static inline void otlp_fixture_frames(struct named_profile *profile)
{
	for (uint32_t i = 0; i < 12; i++)
		otlp_fixture_function(profile, i);
	for (uint32_t i = 0; i < 4 * profile->num_functions; i++) {
		uint32_t function = i / 4;
		bool is_interpreted = profile->functions[function].kind == FRAME_INTERPRETED;
		bool is_elsewhere = i % 11 == 5;
		struct named_frame frame = {
			.function = function,
			.file = is_elsewhere ? fixture_string(profile, "b.h")
					     : profile->functions[function].file,
			.line = i % 3 * 7,
			.is_inlined = !is_interpreted && i % 2,
			.is_compiled = is_interpreted && i % 4 == 3,
			.address = is_interpreted ? 0 : 16 * (i % 4 / 2 + 1),
		};
		uint32_t index;
		assert_no_error(named_profile_frame(profile, &frame, &index));
	}
	uint32_t marker;
	assert_no_error(named_profile_marker(profile, "[truncated stack]", &marker));
}

static inline void otlp_fixture_events(struct named_profile *profile)
{
	const struct named_event events[] = {
		{.name = fixture_string(profile, "cycles"),
		 .unit = fixture_string(profile, "events"),
		 .period = 100},
		{.name = fixture_string(profile, "cpu-clock"),
		 .unit = fixture_string(profile, "nanoseconds"),
		 .frequency = 99,
		 .excludes_idle = true,
		 .idle = {3, 500},
		 .with_idle = {9, 1700}},
		{.name = fixture_string(profile, "off-cpu"),
		 .unit = fixture_string(profile, "nanoseconds"),
		 .model = fixture_string(profile, "a model"),
		 .is_whole = true,
		 .is_wait = true,
		 .is_ahead = true},
		// Nothing but its name, twice, and mostly without samples.
		{.name = fixture_string(profile, "ticks")},
		{.name = fixture_string(profile, "ticks")},
	};
	uint32_t index;
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		assert_no_error(named_profile_event(profile, &events[i], &index));
}

static inline void otlp_fixture_describe(struct fleet_batch *batch)
{
	struct named_profile *profile = &batch->profile;
	assert_no_error(fleet_batch_set_id(batch, "agent-boot-17"));
	assert_no_error(fleet_batch_set_label(batch, "service.name", "shop"));
	assert_no_error(fleet_batch_set_label(batch, "host.name", "web-1"));
	batch->start_ns = UINT64_C(1760000000000000000);
	batch->length_ns = UINT64_C(60000000000);
	batch->num_dropped = 3;
	profile->command_line = fixture_string(profile, "shop --port 80");
	profile->host = fixture_string(profile, "web-1.local");
	profile->system = fixture_string(profile, "Linux");
	profile->machine = fixture_string(profile, "aarch64");
	profile->start_time_ns = 17;
	profile->start_wall_ns = UINT64_C(1760000000000000001);
	profile->duration_ns = 99;
	profile->num_lost = 5;
	profile->is_anonymous = true;
	profile->collection = (struct named_collection){
		.way = fixture_string(profile, "timer"),
		.words = fixture_string(profile, "on a timer"),
		.num_samples = 7,
		.num_without = 2,
		.mean_skew_ns = 3,
		.max_skew_ns = 4,
	};
	assert_no_error(named_profile_set_language(profile, "Toy 2"));
}

static inline void otlp_fixture_random(struct fleet_batch *batch, uint32_t seed, size_t num_samples)
{
	enum { MAX_DEPTH = 12 };
	assert_no_error(fleet_batch_init(batch));
	struct named_profile *profile = &batch->profile;
	otlp_fixture_frames(profile);
	otlp_fixture_events(profile);
	otlp_fixture_describe(batch);
	fixture_thread(profile, 10, 11, "main", "shop");
	fixture_thread(profile, 10, 12, "worker", "shop");
	fixture_thread(profile, 0, 0, "", "");
	for (size_t i = 0; i < num_samples; i++) {
		uint32_t frames[MAX_DEPTH];
		size_t depth = fixture_random(&seed, MAX_DEPTH + 1);
		for (size_t j = 0; j < depth; j++)
			frames[j] = fixture_random(&seed, (uint32_t)profile->num_frames);
		struct named_sample sample = {
			.weight = fixture_random(&seed, 3) ? 100 * fixture_random(&seed, 5)
							   : fixture_random(&seed, 1000),
			.count = fixture_random(&seed, 4),
			.thread = fixture_random(&seed, 3),
			.event = fixture_random(&seed, 4),
			.cpu = fixture_random(&seed, 2) ? NAMED_NONE : fixture_random(&seed, 3),
			.gil = fixture_random(&seed, GIL_NUM_STATES),
		};
		assert_no_error(stack_table_intern(&profile->stacks, frames, depth, &sample.stack));
		assert_no_error(named_profile_add(profile, &sample));
	}
}

static inline const char *otlp_fixture_text(const struct named_profile *profile, uint32_t string)
{
	return named_profile_text(profile, string);
}

static inline void otlp_fixture_write_frame(const struct named_profile *profile, uint32_t index,
					    struct string_builder *text)
{
	static const struct named_module none;
	const struct named_frame *frame = &profile->frames[index];
	const struct named_function *function = &profile->functions[frame->function];
	const struct named_module *module =
		function->module == NAMED_NONE ? &none : &profile->modules[function->module];
	string_builder_appendf(text, " <%s|%s|%s:%u|%d in %s %s %s %u at %s:%u 0x%" PRIx64 " %d%d>",
			       otlp_fixture_text(profile, function->name),
			       otlp_fixture_text(profile, function->linkage_name),
			       otlp_fixture_text(profile, function->file), function->line,
			       (int)function->kind, otlp_fixture_text(profile, module->name),
			       otlp_fixture_text(profile, module->path),
			       otlp_fixture_text(profile, module->build_id), module->pid,
			       otlp_fixture_text(profile, frame->file), frame->line, frame->address,
			       frame->is_inlined, frame->is_compiled);
}

struct otlp_fixture_line {
	char *text;
	uint64_t count, weight;
};

static inline int otlp_fixture_compare(const void *a, const void *b)
{
	return strcmp(((const struct otlp_fixture_line *)a)->text,
		      ((const struct otlp_fixture_line *)b)->text);
}

static inline struct otlp_fixture_line otlp_fixture_line(const struct named_profile *profile,
							 const struct named_sample *sample)
{
	struct string_builder text = STRING_BUILDER_INIT;
	const struct named_thread *thread = &profile->threads[sample->thread];
	string_builder_appendf(&text,
			       "event %u cpu %u lock %d thread %u/%u %s of %s:", sample->event,
			       sample->cpu, (int)sample->gil, thread->pid, thread->tid,
			       otlp_fixture_text(profile, thread->name),
			       otlp_fixture_text(profile, thread->process_name));
	for (uint32_t i = sample->stack; i != STACK_NONE; i = profile->stacks.nodes[i].parent)
		otlp_fixture_write_frame(profile, profile->stacks.nodes[i].frame, &text);
	struct otlp_fixture_line line = {.count = sample->count, .weight = sample->weight};
	assert_no_error(string_builder_finish(&text, &line.text));
	return line;
}

static inline void otlp_fixture_write_samples(const struct named_profile *profile,
					      struct string_builder *text)
{
	struct otlp_fixture_line *lines = calloc(profile->num_samples + 1, sizeof(*lines));
	assert_non_null(lines);
	for (size_t i = 0; i < profile->num_samples; i++)
		lines[i] = otlp_fixture_line(profile, &profile->samples[i]);
	qsort(lines, profile->num_samples, sizeof(*lines), otlp_fixture_compare);
	uint64_t count = 0, weight = 0;
	for (size_t i = 0; i < profile->num_samples; i++) {
		count += lines[i].count;
		weight += lines[i].weight;
		// Equal ones are one.
		if (i + 1 < profile->num_samples && strcmp(lines[i].text, lines[i + 1].text) == 0)
			continue;
		string_builder_appendf(text, "%" PRIu64 " of %" PRIu64 ": %s\n", count, weight,
				       lines[i].text);
		count = weight = 0;
	}
	for (size_t i = 0; i < profile->num_samples; i++)
		free(lines[i].text);
	free(lines);
}

static inline void otlp_fixture_write_events(const struct named_profile *profile,
					     struct string_builder *text)
{
	for (size_t i = 0; i < profile->num_events; i++) {
		const struct named_event *event = &profile->events[i];
		string_builder_appendf(text,
				       "event %s %s '%s' %" PRIu64 " %" PRIu64 " %d%d%d%d %" PRIu64
				       " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
				       otlp_fixture_text(profile, event->name),
				       otlp_fixture_text(profile, event->unit),
				       otlp_fixture_text(profile, event->model), event->period,
				       event->frequency, event->is_whole, event->is_wait,
				       event->is_ahead, event->excludes_idle, event->idle.count,
				       event->idle.weight, event->with_idle.count,
				       event->with_idle.weight);
	}
}

/** All that a batch says. To be freed. */
static inline char *otlp_fixture_describe_text(const struct fleet_batch *batch)
{
	struct string_builder text = STRING_BUILDER_INIT;
	const struct named_profile *profile = &batch->profile;
	string_builder_appendf(&text, "batch '%s' %" PRIu64 "+%" PRIu64 " dropped %" PRIu64 "\n",
			       batch->id, batch->start_ns, batch->length_ns, batch->num_dropped);
	for (size_t i = 0; i < batch->num_labels; i++)
		string_builder_appendf(&text, "%s=%s\n", batch->labels[i].key,
				       batch->labels[i].value);
	string_builder_appendf(&text,
			       "'%s' '%s' '%s' '%s' %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
			       " %d %s\n",
			       otlp_fixture_text(profile, profile->command_line),
			       otlp_fixture_text(profile, profile->host),
			       otlp_fixture_text(profile, profile->system),
			       otlp_fixture_text(profile, profile->machine), profile->start_time_ns,
			       profile->start_wall_ns, profile->duration_ns, profile->num_lost,
			       profile->is_anonymous, profile->language->name);
	string_builder_appendf(&text, "'%s' '%s' %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
			       otlp_fixture_text(profile, profile->collection.way),
			       otlp_fixture_text(profile, profile->collection.words),
			       profile->collection.num_samples, profile->collection.num_without,
			       profile->collection.mean_skew_ns, profile->collection.max_skew_ns);
	otlp_fixture_write_events(profile, &text);
	otlp_fixture_write_samples(profile, &text);
	char *ret = NULL;
	assert_no_error(string_builder_finish(&text, &ret));
	return ret;
}

#endif
