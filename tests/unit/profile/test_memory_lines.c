// SPDX-License-Identifier: Apache-2.0

#include "profile/memory/memory_lines.h"

#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/profile_fixture.h"

static uint32_t add_event(struct named_profile *profile, const char *name, const char *unit)
{
	const struct named_event event = {.name = fixture_string(profile, name),
					  .unit = fixture_string(profile, unit)};
	uint32_t index = 0;
	assert_no_error(named_profile_event(profile, &event, &index));
	return index;
}

/** @leaf: called by @caller. */
static void add_sample(struct named_profile *profile, uint32_t event, uint32_t leaf,
		       uint32_t caller, uint64_t weight)
{
	uint32_t stack = STACK_NONE;
	assert_no_error(stack_table_push(&profile->stacks, STACK_NONE, caller, &stack));
	assert_no_error(stack_table_push(&profile->stacks, stack, leaf, &stack));
	const struct named_sample sample = {
		.event = event, .stack = stack, .weight = weight, .count = 1, .cpu = NAMED_NONE};
	assert_no_error(named_profile_add(profile, &sample));
}

static void test_samples_belong_to_lines_of_the_program(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	_cleanup_(memory_lines_deinit) struct memory_lines lines = {.profile = &profile};
	assert_no_error(named_profile_init(&profile));
	uint32_t alloc = add_event(&profile, "alloc", "bytes");
	uint32_t count = add_event(&profile, "alloc-count", "allocations");
	assert_false(memory_lines_are_there(&profile));
	uint32_t touched = add_event(&profile, "touched", "bytes");
	assert_true(memory_lines_are_there(&profile));
	uint32_t app = fixture_module(&profile, "app"),
		 libc = fixture_module(&profile, "libc.so.6"),
		 preloaded = fixture_module(&profile, "wperf-memory.so");
	uint32_t own = fixture_function(&profile, "own", app);
	uint32_t other = fixture_function(&profile, "other", app);
	uint32_t library = fixture_function(&profile, "memset", libc);
	uint32_t hook = fixture_function(&profile, "live_table_add", preloaded);
	uint32_t line = fixture_frame(&profile, own, 7, 0x10);
	uint32_t same = fixture_frame(&profile, own, 7, 0x20);
	uint32_t fill = fixture_frame(&profile, library, 99, 0x30);
	uint32_t main_line = fixture_frame(&profile, other, 3, 0x40);
	uint32_t table = fixture_frame(&profile, hook, 9, 0x50);
	add_sample(&profile, touched, table, main_line, 5000); // by wperf itself
	add_sample(&profile, alloc, line, main_line, 100);
	add_sample(&profile, alloc, same, main_line, 10);
	add_sample(&profile, count, line, main_line, 12345);
	add_sample(&profile, touched, fill, same, 50);
	add_sample(&profile, touched, fill, main_line, 700);
	for (uint32_t i = 0; i < profile.num_events; i++)
		assert_no_error(memory_lines_add(&lines, i, NULL));
	memory_lines_sort(&lines);
	assert_int_equal(lines.num_items, 2);
	// The most of any event comes first, also if nothing was asked for there.
	assert_int_equal(lines.items[0].frame, main_line);
	assert_int_equal(lines.items[0].bytes[MEMORY_EVENT_TOUCHED], 700);
	assert_int_equal(lines.items[0].bytes[MEMORY_EVENT_ALLOCATED], 0);
	assert_int_equal(lines.items[1].bytes[MEMORY_EVENT_ALLOCATED], 110);
	assert_int_equal(lines.items[1].bytes[MEMORY_EVENT_TOUCHED], 50);
	assert_false(lines.has[MEMORY_EVENT_COUNT] || lines.has[MEMORY_EVENT_IN_USE]);
}

static void test_names_alone_make_no_event_of_memory(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	assert_int_equal(memory_event_of(&profile, add_event(&profile, "heap", "events")),
			 MEMORY_EVENT_NONE);
	uint32_t heap = add_event(&profile, "heap", "bytes");
	assert_int_equal(memory_event_of(&profile, heap), MEMORY_EVENT_IN_USE);
	assert_int_equal(memory_event_find(&profile, MEMORY_EVENT_IN_USE), heap);
	assert_int_equal(memory_event_find(&profile, MEMORY_EVENT_AT_PEAK), NAMED_NONE);
	assert_int_equal(memory_event_of(&profile, NAMED_NONE), MEMORY_EVENT_NONE);
}

static void test_every_event_of_memory_is_known(void **state)
{
	static const struct {
		const char *name;
		enum memory_event kind;
		bool is_in_use;
	} cases[] = {
		{"alloc", MEMORY_EVENT_ALLOCATED, false},
		{"alloc-count", MEMORY_EVENT_COUNT, false},
		{"heap-count", MEMORY_EVENT_BLOCKS, false},
		{"alloc-temporary", MEMORY_EVENT_TEMPORARY, false},
		{"touched", MEMORY_EVENT_TOUCHED, false},
		{"heap", MEMORY_EVENT_IN_USE, true},
		{"heap-at", MEMORY_EVENT_AT_MOMENT, true},
		{"heap-peak", MEMORY_EVENT_AT_PEAK, true},
		{"leak", MEMORY_EVENT_LEAKED, true},
	};
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *unit = memory_event_unit(cases[i].name);
		assert_string_equal(unit, cases[i].kind == MEMORY_EVENT_COUNT    ? "allocations"
					  : cases[i].kind == MEMORY_EVENT_BLOCKS ? "blocks"
										 : "bytes");
		uint32_t event = add_event(&profile, cases[i].name, unit);
		assert_int_equal(memory_event_of(&profile, event), cases[i].kind);
		assert_int_equal(memory_event_is_in_use(cases[i].kind), cases[i].is_in_use);
	}
	assert_null(memory_event_unit("cycles"));
}

static bool are_there_lines_of(const char *one, const char *other)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	add_event(&profile, one, "bytes");
	add_event(&profile, other, "bytes");
	return memory_lines_are_there(&profile);
}

static void test_moments_alone_are_not_compared(void **state)
{
	assert_true(are_there_lines_of("alloc", "alloc-temporary"));
	assert_true(are_there_lines_of("heap", "leak"));
	assert_false(are_there_lines_of("heap", "heap-at"));
	assert_false(are_there_lines_of("heap-at", "heap-peak"));
}

int memory_lines_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples_belong_to_lines_of_the_program),
		cmocka_unit_test(test_names_alone_make_no_event_of_memory),
		cmocka_unit_test(test_every_event_of_memory_is_known),
		cmocka_unit_test(test_moments_alone_are_not_compared),
	};
	return cmocka_run_group_tests_name("memory_lines", tests, NULL, NULL);
}
