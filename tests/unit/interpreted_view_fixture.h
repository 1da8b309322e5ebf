/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_INTERPRETED_VIEW_FIXTURE_H
#define WPERF_TESTS_UNIT_INTERPRETED_VIEW_FIXTURE_H

/** A program of Python with known hot lines, and its tables. Include behind cmocka.h. */

#include "base/text/text_lines.h"
#include "profile/hot/hot_table.h"
#include "profile/interpreted/compiled_lines.h"

#include "tests/unit/capture.h"
#include "tests/unit/profile_fixture.h"

enum { NUM_EVENTS = 2 };

static const char python_text[] = "import zlib\n"
				  "def main():\n"
				  "    for i in range(9):\n"
				  "\tpack(i)\n"
				  "\n"
				  "\n"
				  "\n"
				  "\n"
				  "def pack(i):\n"
				  "    return zlib.compress(bytes(i))\n";

static inline void add(struct named_profile *profile, const uint32_t *frames, size_t num_frames,
		       uint32_t event, uint64_t count)
{
	struct named_sample sample = {.weight = 10 * count, .count = (uint32_t)count};
	sample.event = event;
	assert_no_error(stack_table_intern(&profile->stacks, frames, num_frames, &sample.stack));
	assert_no_error(named_profile_add(profile, &sample));
}

// main() calls pack(), whose line calls deflate() of libz.
static inline void init_profile(struct named_profile *profile)
{
	assert_no_error(named_profile_init(profile));
	fixture_thread(profile, 1, 1, "app", "app");
	fixture_event(profile, "cycles");
	fixture_event(profile, "page-faults");
	uint32_t start = fixture_place(profile, "_start", "start.c", 1);
	uint32_t loop = fixture_interpreted(profile, "main", "/src/app.py", 2, 3);
	uint32_t call = fixture_interpreted(profile, "main", "/src/app.py", 2, 4);
	uint32_t pack = fixture_interpreted(profile, "pack", "/src/app.py", 9, 10);
	uint32_t lib =
		fixture_interpreted(profile, "dumps", "/usr/lib/python3.11/json/__init__.py", 1, 2);
	uint32_t deflate = fixture_frame(
		profile, fixture_function(profile, "deflate", fixture_module(profile, "libz.so")),
		50, 64);
	add(profile, (uint32_t[]){deflate, pack, call, start}, 4, 0, 60);
	add(profile, (uint32_t[]){pack, call, start}, 3, 0, 20);
	add(profile, (uint32_t[]){loop, start}, 2, 0, 15);
	add(profile, (uint32_t[]){start}, 1, 0, 5);
	add(profile, (uint32_t[]){deflate, pack, call, start}, 4, 1, 4);
	add(profile, (uint32_t[]){lib, call, start}, 3, 1, 4);
}

static inline void create_table(const struct named_profile *profile, enum hot_key key,
				struct profile_filter *const *filters, size_t num_events,
				struct hot_table *ret)
{
	struct hot_list lists[NUM_EVENTS] = {0};
	for (size_t i = 0; i < num_events; i++)
		assert_no_error(hot_list_create(profile, key, HOT_BY_SELF, filters[i], &lists[i]));
	assert_no_error(hot_table_create(lists, num_events, ret));
	for (size_t i = 0; i < num_events; i++)
		hot_list_deinit(&lists[i]);
}

/** What a test shows, of the first @num_events. */
struct shown {
	struct named_profile profile;
	struct profile_filter *filters[NUM_EVENTS];
	struct hot_table lines, functions, files;
	struct compiled_lines compiled;
	struct text_lines text;
};

static inline void shown_init(struct shown *shown, size_t num_events)
{
	*shown = (struct shown){0};
	init_profile(&shown->profile);
	for (uint32_t i = 0; i < num_events; i++) {
		struct profile_criteria criteria = PROFILE_CRITERIA_ALL;
		criteria.event = i;
		assert_no_error(
			profile_filter_create(&shown->profile, &criteria, &shown->filters[i]));
	}
	create_table(&shown->profile, HOT_INTERPRETED_LINE, shown->filters, num_events,
		     &shown->lines);
	create_table(&shown->profile, HOT_INTERPRETED_FUNCTION, shown->filters, num_events,
		     &shown->functions);
	create_table(&shown->profile, HOT_INTERPRETED_FILE, shown->filters, num_events,
		     &shown->files);
	assert_no_error(compiled_lines_create(&shown->profile, shown->filters, num_events,
					      &shown->compiled));
	assert_no_error(text_lines_init(&shown->text, python_text, sizeof(python_text) - 1));
}

static inline void shown_deinit(struct shown *shown)
{
	for (size_t i = 0; i < NUM_EVENTS; i++)
		profile_filter_destroy(shown->filters[i]);
	hot_table_deinit(&shown->lines);
	hot_table_deinit(&shown->functions);
	hot_table_deinit(&shown->files);
	compiled_lines_deinit(&shown->compiled);
	text_lines_deinit(&shown->text);
	named_profile_deinit(&shown->profile);
}

static const uint32_t python_events[NUM_EVENTS] = {0, 1};

#endif
