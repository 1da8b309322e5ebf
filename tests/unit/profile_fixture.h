/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_PROFILE_FIXTURE_H
#define WPERF_TESTS_UNIT_PROFILE_FIXTURE_H

/**
 * Named profiles for tests: by hand, or random ones with much recursion and shared frames, for
 * which a test computes the sums the slow way. Include behind cmocka.h.
 */

#include "profile/named_profile.h"

#include "tests/unit/assert_error.h"

#include <stdio.h>

static inline uint32_t fixture_string(struct named_profile *profile, const char *text)
{
	uint32_t id = 0;
	assert_no_error(named_profile_string(profile, text, &id));
	return id;
}

static inline uint32_t fixture_module(struct named_profile *profile, const char *path)
{
	struct named_module module = {.name = fixture_string(profile, path),
				      .path = fixture_string(profile, path)};
	uint32_t index = 0;
	assert_no_error(named_profile_module(profile, &module, &index));
	return index;
}

/** @module: index, or NAMED_NONE. Its file is app.c and it is defined in line 10. */
static inline uint32_t fixture_function(struct named_profile *profile, const char *name,
					uint32_t module)
{
	struct named_function function = {.name = fixture_string(profile, name),
					  .module = module,
					  .file = fixture_string(profile, "app.c"),
					  .line = 10};
	uint32_t index = 0;
	assert_no_error(named_profile_function(profile, &function, &index));
	return index;
}

static inline uint32_t fixture_frame(struct named_profile *profile, uint32_t function,
				     uint32_t line, uint64_t address)
{
	struct named_frame frame = {.function = function,
				    .file = profile->functions[function].file,
				    .line = line,
				    .address = address};
	uint32_t index = 0;
	assert_no_error(named_profile_frame(profile, &frame, &index));
	return index;
}

/** The frame of a line in a function of its own, without a module. */
static inline uint32_t fixture_place(struct named_profile *profile, const char *name,
				     const char *file, uint32_t line)
{
	struct named_function function = {
		.name = fixture_string(profile, name),
		.module = NAMED_NONE,
		.file = fixture_string(profile, file),
		.line = 1,
	};
	uint32_t index = 0;
	assert_no_error(named_profile_function(profile, &function, &index));
	return fixture_frame(profile, index, line, 0);
}

/** The frame of a line of Python in a function that is defined in line @first_line. */
static inline const struct language *fixture_language(void)
{
	static const char *const folders[] = {"/site-packages/", NULL};
	static const struct language language = {.name = "Python",
						 .jit_mark = "py::",
						 .package_folders = folders,
						 .library_folder = "/lib/python",
						 .nameless_prefix = "__"};
	return &language;
}

static inline uint32_t fixture_interpreted(struct named_profile *profile, const char *name,
					   const char *file, uint32_t first_line, uint32_t line)
{
	profile->language = fixture_language();
	struct named_function function = {
		.name = fixture_string(profile, name),
		.module = fixture_module(profile, file),
		.file = fixture_string(profile, file),
		.line = first_line,
		.kind = FRAME_INTERPRETED,
	};
	uint32_t index = 0;
	assert_no_error(named_profile_function(profile, &function, &index));
	return fixture_frame(profile, index, line, 0);
}

static inline uint32_t fixture_thread(struct named_profile *profile, uint32_t pid, uint32_t tid,
				      const char *name, const char *process_name)
{
	struct named_thread thread = {.pid = pid,
				      .tid = tid,
				      .name = fixture_string(profile, name),
				      .process_name = fixture_string(profile, process_name)};
	uint32_t index = 0;
	assert_no_error(named_profile_thread(profile, &thread, &index));
	return index;
}

static inline uint32_t fixture_event(struct named_profile *profile, const char *name)
{
	struct named_event event = {.name = fixture_string(profile, name),
				    .unit = fixture_string(profile, "events"),
				    .period = 1000};
	uint32_t index = 0;
	assert_no_error(named_profile_event(profile, &event, &index));
	return index;
}

/** A sample of weight @weight whose stack is @frames, leaf first; of thread and event 0. */
static inline void fixture_sample(struct named_profile *profile, const uint32_t *frames,
				  size_t num_frames, uint64_t weight)
{
	struct named_sample sample = {.weight = weight, .count = 1};
	assert_no_error(stack_table_intern(&profile->stacks, frames, num_frames, &sample.stack));
	sample.time_ns = profile->num_samples;
	assert_no_error(named_profile_add(profile, &sample));
}

static inline uint32_t fixture_random(uint32_t *seed, uint32_t limit)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 16) % limit;
}

/** The names that depend on nothing but the numbers below. */
static inline void fixture_random_names(struct named_profile *profile)
{
	enum { NUM_MODULES = 3, NUM_FUNCTIONS = 8 };
	for (uint32_t i = 0; i < NUM_FUNCTIONS; i++) {
		char name[32];
		snprintf(name, sizeof(name), "lib%u.so", i % NUM_MODULES);
		uint32_t module = i == 7 ? NAMED_NONE : fixture_module(profile, name);
		snprintf(name, sizeof(name), "function_%u", i);
		uint32_t function = fixture_function(profile, name, module);
		for (uint32_t j = 0; j < 3; j++)
			fixture_frame(profile, function, 10 + j / 2, i == 6 ? 0 : 64 * i + j);
	}
	fixture_thread(profile, 1, 1, "main", "app");
	fixture_thread(profile, 1, 2, "worker", "app");
	fixture_thread(profile, 3, 3, "main", "other");
	fixture_event(profile, "cycles");
	fixture_event(profile, "ld_spec");
}

static inline void fixture_random_profile(struct named_profile *profile, uint32_t seed,
					  size_t num_samples)
{
	enum { MAX_DEPTH = 9 };
	assert_no_error(named_profile_init(profile));
	fixture_random_names(profile);
	for (size_t i = 0; i < num_samples; i++) {
		uint32_t frames[MAX_DEPTH];
		size_t depth = fixture_random(&seed, MAX_DEPTH + 1);
		for (size_t j = 0; j < depth; j++)
			frames[j] = fixture_random(&seed, (uint32_t)profile->num_frames);
		struct named_sample sample = {
			.time_ns = 100 * i,
			.weight = 1 + fixture_random(&seed, 1000),
			.count = 1 + fixture_random(&seed, 2),
			.thread = fixture_random(&seed, (uint32_t)profile->num_threads),
			.event = fixture_random(&seed, (uint32_t)profile->num_events),
			.cpu = fixture_random(&seed, 4),
		};
		if (sample.cpu == 3)
			sample.cpu = NAMED_NONE;
		assert_no_error(stack_table_intern(&profile->stacks, frames, depth, &sample.stack));
		assert_no_error(named_profile_add(profile, &sample));
	}
}

#endif
