// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/stack/python_raise_stack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "interpreter/python/kernel/python_walk.h"
#include "tests/unit/assert_error.h"

static struct python_raise_stack stack;
static struct string_table names;

static int setup(void **state)
{
	names = (struct string_table)STRING_TABLE_INIT;
	return 0;
}

static int teardown(void **state)
{
	string_table_deinit(&names);
	return 0;
}

/** @frames: as from the kernel, of which the first @num are frames. */
static struct record_sample decode(struct interpreted_frame *frames, size_t num, const char *name,
				   size_t name_size)
{
	struct record_sample sample = {.frames = frames,
				       .num_frames = num + 1 + PYTHON_WALK_TYPE_NAME_FRAMES};
	frames[num] = (struct interpreted_frame){.flags = INTERPRETED_FRAME_IS_RAISE};
	memset(&frames[num + 1], 'x', PYTHON_WALK_TYPE_NAME_FRAMES * sizeof(*frames));
	memcpy(&frames[num + 1], name, name_size);
	assert_no_error(python_raise_stack_decode(&stack, &names, &sample));
	return sample;
}

static void the_exception_is_where_the_innermost_frame_is(void **state)
{
	struct interpreted_frame frames[8] = {
		{.code = 1, .instruction = 10, .version = 3, .flags = INTERPRETED_FRAME_IS_ENTRY},
		{.code = 2}};
	struct record_sample sample = decode(frames, 2, "ValueError", sizeof("ValueError"));
	assert_int_equal(sample.num_frames, 3);
	assert_int_equal(sample.frames[0].code, 1);
	assert_int_equal(sample.frames[0].instruction, 10);
	assert_int_equal(sample.frames[0].version, 3);
	assert_int_equal(sample.frames[0].flags, INTERPRETED_FRAME_IS_RAISE);
	assert_string_equal(python_raise_stack_name(&names, &sample.frames[0]), "ValueError");
	assert_int_equal(sample.frames[1].code, 1);
	assert_int_equal(sample.frames[1].flags, INTERPRETED_FRAME_IS_ENTRY);
	assert_int_equal(sample.frames[2].code, 2);
}

static void names_are_one_word(void **state)
{
	struct interpreted_frame frames[8] = {{.code = 1}};
	struct record_sample sample = decode(frames, 1, "a b\x1b[31m", sizeof("a b\x1b[31m"));
	assert_string_equal(python_raise_stack_name(&names, &sample.frames[0]), "a?b?[31m");
	sample = decode(frames, 1, "", 1);
	assert_string_equal(python_raise_stack_name(&names, &sample.frames[0]), "?");
}

static void long_names_are_cut_at_a_character(void **state)
{
	struct interpreted_frame frames[8] = {{.code = 1}};
	char name[PYTHON_WALK_TYPE_NAME_FRAMES * sizeof(*frames) + 1];
	memset(name, 'x', sizeof(name));
	name[63] = 0;
	struct record_sample sample = decode(frames, 1, name, 64);
	assert_string_equal(python_raise_stack_name(&names, &sample.frames[0]), name);
	name[63] = 'x';
	sample = decode(frames, 1, name, 64);
	memcpy(name + 61, "...", 4);
	assert_string_equal(python_raise_stack_name(&names, &sample.frames[0]), name);
	memcpy(name + 59, "\xe2\x82\xacxx", 5);
	sample = decode(frames, 1, name, 64);
	memcpy(name + 59, "...", 4);
	assert_string_equal(python_raise_stack_name(&names, &sample.frames[0]), name);
}

static void what_is_no_exception_stays(void **state)
{
	struct interpreted_frame frames[8] = {{.code = 1}, {.code = 2}, {.code = 3}, {.code = 4}};
	struct record_sample sample = {.frames = frames, .num_frames = 4};
	assert_no_error(python_raise_stack_decode(&stack, &names, &sample));
	assert_ptr_equal(sample.frames, frames);
	assert_int_equal(sample.num_frames, 4);
	sample.num_frames = 1;
	assert_no_error(python_raise_stack_decode(&stack, &names, &sample));
	assert_int_equal(sample.num_frames, 1);
	sample = (struct record_sample){.frames = frames,
					.num_frames = 2 + PYTHON_WALK_TYPE_NAME_FRAMES};
	frames[1].flags = INTERPRETED_FRAME_IS_RAISE;
	assert_no_error(python_raise_stack_decode(&stack, NULL, &sample)); // of another user
	assert_null(python_raise_stack_name(&names, &sample.frames[0]));
	// Raised by C code that no Python called.
	sample = decode(frames, 0, "x", 2);
	assert_int_equal(sample.num_frames, 0);
}

static void the_name_of_a_task_is_no_exception(void **state)
{
	enum { TASK = 1, NUM = TASK + 1 + PYTHON_WALK_NAME_FRAMES };
	struct interpreted_frame frames[8] = {
		{.code = 1},
		[TASK] = {.code = 1, .flags = INTERPRETED_FRAME_IS_TASK},
	};
	memset(&frames[TASK + 1], 0xff, PYTHON_WALK_NAME_FRAMES * sizeof(*frames));
	struct record_sample sample = {.frames = frames, .num_frames = NUM};
	assert_no_error(python_raise_stack_decode(&stack, &names, &sample));
	assert_int_equal(sample.num_frames, NUM);
	assert_ptr_equal(sample.frames, frames);
	sample = decode(frames, NUM, "KeyError", sizeof("KeyError"));
	assert_int_equal(sample.num_frames, 1 + NUM);
	assert_string_equal(python_raise_stack_name(&names, &sample.frames[0]), "KeyError");
	assert_int_equal(sample.frames[1 + TASK].flags, INTERPRETED_FRAME_IS_TASK);
}

static void names_have_an_end(void **state)
{
	enum { MOST = 4096 };
	uint32_t id;
	for (int i = 0; i < MOST; i++) {
		char name[16];
		snprintf(name, sizeof(name), "n%d", i);
		assert_no_error(string_table_intern(&names, name, &id));
	}
	struct interpreted_frame frames[8] = {{.code = 1}};
	struct record_sample sample = decode(frames, 1, "more", sizeof("more"));
	assert_int_equal(sample.num_frames, 2);
	assert_null(python_raise_stack_name(&names, &sample.frames[0]));
}

#define TEST_RAISE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int python_raise_stack_tests(void)
{
	const struct CMUnitTest tests[] = {
		TEST_RAISE(the_exception_is_where_the_innermost_frame_is),
		TEST_RAISE(names_are_one_word),
		TEST_RAISE(long_names_are_cut_at_a_character),
		TEST_RAISE(what_is_no_exception_stays),
		TEST_RAISE(the_name_of_a_task_is_no_exception),
		TEST_RAISE(names_have_an_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
