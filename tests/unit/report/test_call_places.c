// SPDX-License-Identifier: Apache-2.0

#include "report/calls/call_places.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

/** A stack of the profile, outermost frame first. */
static uint32_t push(struct named_profile *profile, uint32_t stack, const char *name,
		     enum frame_kind kind, const char *module)
{
	struct named_module in = {0};
	struct named_function function = {.kind = kind, .module = NAMED_NONE};
	struct named_frame frame = {.line = 7};
	uint32_t id, ret;
	assert_no_error(named_profile_string(profile, name, &function.name));
	if (module) {
		assert_no_error(named_profile_string(profile, module, &in.name));
		in.path = in.name;
		assert_no_error(named_profile_module(profile, &in, &function.module));
	}
	assert_no_error(named_profile_function(profile, &function, &frame.function));
	assert_no_error(named_profile_frame(profile, &frame, &id));
	assert_no_error(stack_table_push(&profile->stacks, stack, id, &ret));
	return ret;
}

static void add(struct named_profile *profile, uint32_t stack, enum call_event event,
		uint64_t weight, enum gil_state gil)
{
	const struct named_sample sample = {
		.weight = weight, .count = 1, .stack = stack, .event = event, .gil = gil};
	assert_no_error(named_profile_add(profile, &sample));
}

static const struct call_place *find(const struct call_places *places, const char *kind)
{
	for (size_t i = 0; i < places->num_items; i++)
		if (strcmp(places->items[i].kind, kind) == 0)
			return &places->items[i];
	return NULL;
}

static const char *function_of(const struct call_places *places, const struct call_place *place)
{
	const struct named_profile *profile = places->profile;
	uint32_t function = profile->frames[place->frame].function;
	return named_profile_text(profile, profile->functions[function].name);
}

static void waits_have_kind_and_line(void **state)
{
	struct named_profile profile;
	struct call_places places;
	assert_no_error(named_profile_init(&profile));
	uint32_t main = push(&profile, STACK_NONE, "main", FRAME_NATIVE, "app");
	uint32_t work = push(&profile, main, "work", FRAME_NATIVE, "app");
	uint32_t mutex = push(&profile, work, "pthread_mutex_lock", FRAME_NATIVE, "libc.so.6");
	uint32_t futex = push(&profile, mutex, "futex", FRAME_KERNEL, NULL);
	uint32_t held = push(&profile, futex, "[lock 0x10 held by thread 3]", FRAME_KERNEL, NULL);
	add(&profile, held, CALL_EVENT_COUNT, 2, GIL_UNKNOWN);
	add(&profile, held, CALL_EVENT_WAIT, 500, GIL_UNKNOWN);
	uint32_t reading = push(&profile, work, "read", FRAME_NATIVE, "libc.so.6");
	uint32_t pipe = push(&profile, reading, "read (pipe)", FRAME_KERNEL, NULL);
	add(&profile, pipe, CALL_EVENT_WAIT, 40, GIL_UNKNOWN);
	assert_no_error(call_places_init(&places, &profile));
	const struct call_place *lock = find(&places, "lock"), *of_pipe = find(&places, "pipe");
	assert_non_null(lock);
	assert_non_null(of_pipe);
	assert_int_equal(lock->weights[CALL_EVENT_WAIT], 500);
	assert_int_equal(lock->weights[CALL_EVENT_COUNT], 2);
	assert_string_equal(function_of(&places, lock), "work");
	assert_string_equal(named_profile_text(&profile, lock->other),
			    "[lock 0x10 held by thread 3]");
	assert_int_equal(of_pipe->weights[CALL_EVENT_WAIT], 40);
	assert_int_equal(of_pipe->other, 0);
	assert_true(call_place_is_of(&places, of_pipe, "read"));
	assert_false(call_place_is_of(&places, of_pipe, "rea"));
	assert_int_equal(places.num_samples, 1);
	call_places_deinit(&places);
	named_profile_deinit(&profile);
}

static void interpreted_lines_come_first(void **state)
{
	struct named_profile profile;
	struct call_places places;
	assert_no_error(named_profile_init(&profile));
	uint32_t python = push(&profile, STACK_NONE, "acquire", FRAME_INTERPRETED, NULL);
	uint32_t native = push(&profile, python, "PyThread_acquire", FRAME_NATIVE, "python3");
	uint32_t wait = push(&profile, native, "sem_clockwait", FRAME_NATIVE, "libc.so.6");
	uint32_t futex = push(&profile, wait, "futex", FRAME_KERNEL, NULL);
	add(&profile, futex, CALL_EVENT_WAIT, 9, GIL_FREE);
	add(&profile, futex, CALL_EVENT_WAIT, 8, GIL_WAITED);
	assert_no_error(call_places_init(&places, &profile));
	const struct call_place *lock = find(&places, "lock"), *gil = find(&places, "GIL");
	assert_non_null(lock);
	assert_non_null(gil);
	assert_string_equal(function_of(&places, lock), "acquire");
	assert_int_equal(lock->weights[CALL_EVENT_WAIT], 9);
	assert_int_equal(gil->weights[CALL_EVENT_WAIT], 8);
	call_places_deinit(&places);
	named_profile_deinit(&profile);
}

static void wakers_are_told_apart(void **state)
{
	struct named_profile profile;
	struct call_places places;
	assert_no_error(named_profile_init(&profile));
	uint32_t work = push(&profile, STACK_NONE, "work", FRAME_NATIVE, "app");
	uint32_t writing = push(&profile, work, "write (pipe)", FRAME_KERNEL, NULL);
	uint32_t waking = push(&profile, writing, "[wakes thread 3 in read]", FRAME_KERNEL, NULL);
	for (uint32_t thread = 0; thread < 2; thread++) {
		const struct named_sample sample = {.weight = 30 + thread,
						    .count = 2,
						    .stack = waking,
						    .event = CALL_EVENT_WAKE,
						    .thread = thread};
		assert_no_error(named_profile_add(&profile, &sample));
	}
	assert_no_error(call_places_init(&places, &profile));
	assert_int_equal(places.num_items, 2);
	for (size_t i = 0; i < places.num_items; i++) {
		const struct call_place *place = &places.items[i];
		assert_int_equal(place->weights[CALL_EVENT_WAKE], 30 + place->thread);
		assert_int_equal(place->num_samples, 2);
		assert_string_equal(named_profile_text(&profile, place->other),
				    "[wakes thread 3 in read]");
	}
	// They are no samples of calls.
	assert_int_equal(places.num_samples, 0);
	call_places_deinit(&places);
	named_profile_deinit(&profile);
}

static void stacks_without_a_call_are_left_out(void **state)
{
	struct named_profile profile;
	struct call_places places;
	assert_no_error(named_profile_init(&profile));
	uint32_t main = push(&profile, STACK_NONE, "main", FRAME_NATIVE, "app");
	add(&profile, main, CALL_EVENT_COUNT, 1, GIL_UNKNOWN);
	add(&profile, STACK_NONE, CALL_EVENT_COUNT, 1, GIL_UNKNOWN);
	assert_no_error(call_places_init(&places, &profile));
	assert_int_equal(places.num_items, 0);
	call_places_deinit(&places);
	named_profile_deinit(&profile);
}

int call_places_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waits_have_kind_and_line),
		cmocka_unit_test(interpreted_lines_come_first),
		cmocka_unit_test(wakers_are_told_apart),
		cmocka_unit_test(stacks_without_a_call_are_left_out),
	};
	return cmocka_run_group_tests_name("call_places", tests, NULL, NULL);
}
