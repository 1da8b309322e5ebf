// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/task/python_task_stack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/python_async_image.h"

enum { ROOM = 64 };

struct fixture {
	struct image image;
	struct string_table names;
	struct python_task_stack *stack;
	struct interpreted_frame frames[ROOM]; /* as from the kernel */
	struct record_sample sample;
	uint64_t string_type;
};

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	assert_non_null(fixture);
	image_init(&fixture->image, 12);
	image_init_async(&fixture->image);
	assert_no_error(python_task_stack_create(&fixture->image.runtime, &fixture->names,
						 &fixture->stack));
	fixture->sample.frames = fixture->frames;
	const struct python_layout *layout = &fixture->image.runtime.layout;
	uint64_t object = image_object(&fixture->image, "str", 64);
	memcpy(&fixture->string_type,
	       fixture->image.bytes + object + layout->object_type - IMAGE_BASE,
	       sizeof(fixture->string_type));
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;
	python_task_stack_destroy(fixture->stack);
	string_table_deinit(&fixture->names);
	free(fixture);
	return 0;
}

static struct interpreted_frame *add(struct fixture *fixture, uint64_t code)
{
	struct interpreted_frame *frame = &fixture->frames[fixture->sample.num_frames++];
	*frame = (struct interpreted_frame){.code = code};
	return frame;
}

/** @object: its name, of which @num_bytes are copied. */
static void add_task(struct fixture *fixture, uint64_t code, uint64_t object, size_t num_bytes)
{
	struct interpreted_frame *task = add(fixture, code);
	task->flags = INTERPRETED_FRAME_IS_TASK;
	task->stack = object;
	task->instruction = num_bytes;
	for (int i = 0; i < PYTHON_WALK_NAME_FRAMES; i++)
		add(fixture, 0);
	memcpy(task + 1, fixture->image.bytes + object - IMAGE_BASE, PYTHON_WALK_NAME_BYTES);
}

static uint64_t new_name(struct fixture *fixture, const char *text)
{
	uint64_t object = image_text(&fixture->image, text);
	image_word(&fixture->image, object + fixture->image.runtime.layout.object_type,
		   fixture->string_type);
	image_alloc(&fixture->image, 256); // what is copied behind it is in the image
	return object;
}

/** "1 2 [name]": codes and tasks; [9] is a task without a name. */
static void assert_stack(struct fixture *fixture, const char *expected)
{
	char text[512] = "";
	size_t length = 0;
	assert_no_error(python_task_stack_decode(fixture->stack, true, &fixture->sample));
	for (size_t i = 0; i < fixture->sample.num_frames; i++) {
		const struct interpreted_frame *frame = &fixture->sample.frames[i];
		const char *name = NULL;
		bool is_task = frame->flags & INTERPRETED_FRAME_IS_TASK;
		if (is_task)
			name = python_task_stack_name(&fixture->names, frame);
		int num = name ? snprintf(text + length, sizeof(text) - length, "[%s] ", name)
			       : snprintf(text + length, sizeof(text) - length,
					  is_task ? "[%d] " : "%d ", (int)frame->code);
		length += (size_t)num;
	}
	assert_string_equal(text, expected);
}

static void waiting_frames_are_innermost_first(void **state)
{
	struct fixture *fixture = *state;
	add(fixture, 1);
	add(fixture, 2);
	add_task(fixture, 2, new_name(fixture, "worker"), PYTHON_WALK_NAME_BYTES);
	add(fixture, 5);
	add(fixture, 4);
	add(fixture, 3);
	add_task(fixture, 5, new_name(fixture, "Task-12"), PYTHON_WALK_NAME_BYTES);
	assert_true(python_task_stack_is_found(&fixture->sample));
	assert_stack(fixture, "1 2 [worker] 3 4 5 [5] ");
}

static void long_names_are_cut(void **state)
{
	struct fixture *fixture = *state;
	add(fixture, 1);
	add_task(fixture, 1,
		 new_name(fixture, "0123456789012345678901234567890123456789012345678901234567890"),
		 PYTHON_WALK_NAME_BYTES);
	assert_stack(fixture, "1 [01234567890123456789012345678901234567890123456789012345...] ");
}

static void a_name_at_the_end_of_a_page_is_read(void **state)
{
	struct fixture *fixture = *state;
	add(fixture, 1);
	add_task(fixture, 1, new_name(fixture, "abc"), 60);
	assert_stack(fixture, "1 [abc] ");
	fixture->sample = (struct record_sample){.frames = fixture->frames};
	add(fixture, 1);
	add_task(fixture, 1, new_name(fixture, "0123456789"), 48);
	assert_stack(fixture, "1 [1] "); // not all of ten characters, nor as many as are cut at
}

static void what_is_no_string_is_no_name(void **state)
{
	struct fixture *fixture = *state;
	uint64_t object = image_object(&fixture->image, "int", 256);
	add(fixture, 1);
	add_task(fixture, 1, object, PYTHON_WALK_NAME_BYTES);
	assert_stack(fixture, "1 [1] ");
	fixture->sample = (struct record_sample){.frames = fixture->frames};
	add(fixture, 1);
	add_task(fixture, 1, new_name(fixture, "x"), SIZE_MAX); // a lie
	assert_stack(fixture, "1 [1] ");
}

static void a_type_behind_what_is_always_copied_is_not_read(void **state)
{
	struct fixture *fixture = *state;
	uint64_t object = new_name(fixture, "x");
	uint32_t *offset = &fixture->image.runtime.layout.object_type;
	*offset = PYTHON_WALK_NAME_LEAST_BYTES; // a process may publish any offset
	image_word(&fixture->image, object + *offset, fixture->string_type);
	add(fixture, 1);
	add_task(fixture, 1, object, PYTHON_WALK_NAME_LEAST_BYTES);
	assert_stack(fixture, "1 [1] ");
}

static void what_is_cut_has_no_task(void **state)
{
	struct fixture *fixture = *state;
	add(fixture, 1);
	add_task(fixture, 1, new_name(fixture, "x"), PYTHON_WALK_NAME_BYTES);
	add(fixture, 2); // the task that it is of did not come
	assert_stack(fixture, "1 [x] ");
	fixture->sample = (struct record_sample){.frames = fixture->frames};
	add(fixture, 1);
	add(fixture, 2)->flags = INTERPRETED_FRAME_IS_TASK; // its name did not come
	add(fixture, 3);
	assert_stack(fixture, "1 ");
}

static void names_have_an_end(void **state)
{
	struct fixture *fixture = *state;
	enum { MOST = 4096 };
	uint32_t id;
	for (int i = 0; i < MOST; i++) {
		char name[16];
		snprintf(name, sizeof(name), "n%d", i);
		assert_no_error(string_table_intern(&fixture->names, name, &id));
	}
	add(fixture, 1);
	add_task(fixture, 1, new_name(fixture, "one more"), PYTHON_WALK_NAME_BYTES);
	assert_stack(fixture, "1 [1] ");
	assert_true(fixture->stack->has_more_names);
	fixture->sample = (struct record_sample){.frames = fixture->frames};
	add(fixture, 1);
	add_task(fixture, 1, new_name(fixture, "n4095"), PYTHON_WALK_NAME_BYTES);
	assert_stack(fixture, "1 [n4095] ");
}

static void names_of_others_are_not_told(void **state)
{
	struct fixture *fixture = *state;
	add(fixture, 1);
	add_task(fixture, 1, new_name(fixture, "secret"), PYTHON_WALK_NAME_BYTES);
	assert_no_error(python_task_stack_decode(fixture->stack, false, &fixture->sample));
	assert_int_equal(fixture->sample.num_frames, 2);
	assert_null(python_task_stack_name(&fixture->names, &fixture->sample.frames[1]));
	assert_int_equal(fixture->names.num_entries, 0);
}

static void frames_alone_are_cut_at_the_coroutine(void **state)
{
	struct fixture *fixture = *state;
	for (uint64_t i = 1; i <= 5; i++)
		add(fixture, i)->version = (uint32_t)i + 10;
	assert_false(python_task_stack_is_found(&fixture->sample));
	python_task_stack_cut(fixture->stack, 3, &fixture->sample);
	assert_int_equal(fixture->sample.num_frames, 4);
	const struct interpreted_frame *task = &fixture->sample.frames[3];
	assert_int_equal(task->flags, INTERPRETED_FRAME_IS_TASK);
	assert_int_equal(task->code, 3);
	assert_int_equal(task->version, 13);
	assert_null(python_task_stack_name(&fixture->names, task));
}

#define TEST_STACK(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int python_task_stack_tests(void)
{
	const struct CMUnitTest tests[] = {
		TEST_STACK(waiting_frames_are_innermost_first),
		TEST_STACK(long_names_are_cut),
		TEST_STACK(a_name_at_the_end_of_a_page_is_read),
		TEST_STACK(what_is_no_string_is_no_name),
		TEST_STACK(a_type_behind_what_is_always_copied_is_not_read),
		TEST_STACK(what_is_cut_has_no_task),
		TEST_STACK(names_have_an_end),
		TEST_STACK(names_of_others_are_not_told),
		TEST_STACK(frames_alone_are_cut_at_the_coroutine),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
