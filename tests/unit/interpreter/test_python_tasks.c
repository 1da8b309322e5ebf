// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/task/python_tasks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/python_async_image.h"

struct fixture {
	struct image image;
	struct python_tasks tasks;
	struct python_task_place place;
	uint64_t code;
};

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	assert_non_null(fixture);
	image_init(&fixture->image, 12);
	image_init_async(&fixture->image);
	fixture->code = image_code(&fixture->image, "f", 1, "", 0);
	uint64_t thread = image_alloc(&fixture->image, 1024);
	image_tasks(&fixture->image, thread, NULL, 0);
	fixture->place = (struct python_task_place){
		.runtime = &fixture->image.runtime,
		.asyncio = &image_asyncio,
		.thread = thread,
	};
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;
	python_tasks_deinit(&fixture->tasks);
	free(fixture);
	return 0;
}

static uint64_t new_task(struct fixture *fixture, const char *name, int8_t state)
{
	return image_task(&fixture->image, name,
			  image_coroutine(&fixture->image, "coroutine", fixture->code, state, 0));
}

/** @task: with its frame on the thread's stack, if it is @on_stack. */
static bool run(struct fixture *fixture, uint64_t task, bool on_stack)
{
	bool is_steady;
	uint64_t coroutine;
	image_word(&fixture->image, fixture->place.thread + image_asyncio.thread_running_task,
		   task);
	memcpy(&coroutine, fixture->image.bytes + task + image_asyncio.task_coroutine - IMAGE_BASE,
	       sizeof(coroutine));
	const uint64_t addresses[] = {1, on_stack ? coroutine + IMAGE_GENERATOR_FRAME : 2, 3};
	assert_no_error(python_tasks_add_running(&fixture->tasks, &fixture->place, addresses, 3,
						 &is_steady));
	return is_steady;
}

struct row {
	enum dump_task_kind kind;
	uint32_t depth;
	const char *name;
	size_t num_frames;
};

static void assert_rows(const struct fixture *fixture, const struct row *rows, size_t num)
{
	assert_int_equal(fixture->tasks.num_items, num);
	for (size_t i = 0; i < num; i++) {
		const struct python_task *task = &fixture->tasks.items[i];
		assert_int_equal(task->kind, rows[i].kind);
		assert_int_equal(task->depth, rows[i].depth);
		assert_string_equal(python_tasks_name(&fixture->tasks, task), rows[i].name);
		assert_int_equal(task->num_frames, rows[i].num_frames);
	}
}
#define ASSERT_ROWS(fixture, ...)                                           \
	do {                                                                \
		const struct row rows[] = {__VA_ARGS__};                    \
		assert_rows((fixture), rows, sizeof(rows) / sizeof(*rows)); \
	} while (0)

static void it_shows_who_waits_for_what_runs(void **state)
{
	struct fixture *fixture = *state;
	struct image *image = &fixture->image;
	uint64_t running = new_task(fixture, "running", IMAGE_RUNS);
	uint64_t one = new_task(fixture, "one", IMAGE_SUSPENDED);
	uint64_t two = new_task(fixture, "two", IMAGE_SUSPENDED);
	uint64_t top = new_task(fixture, "top", IMAGE_SUSPENDED);
	uint64_t future = image_task(image, "none", 0);
	const uint64_t awaiters[] = {0, one, 0, future};
	image_await_set(image, running, awaiters, 4, 2);
	image_await(image, one, top);
	image_await(image, future, two);
	image_await(image, two, top);
	assert_true(run(fixture, running, true));
	ASSERT_ROWS(fixture, {DUMP_TASK_RUNS, 0, "running", 0}, {DUMP_TASK_WAITS, 1, "one", 1},
		    {DUMP_TASK_WAITS, 2, "top", 1}, {DUMP_TASK_FUTURE, 1, "", 0},
		    {DUMP_TASK_WAITS, 2, "two", 1}, {DUMP_TASK_ELSEWHERE, 3, "top", 0});
}

static void the_others_follow_in_their_order(void **state)
{
	struct fixture *fixture = *state;
	struct image *image = &fixture->image;
	const uint64_t tasks[] = {
		new_task(fixture, "a", IMAGE_SUSPENDED),
		new_task(fixture, "running", IMAGE_RUNS),
		new_task(fixture, "b", IMAGE_SUSPENDED),
		new_task(fixture, "c", IMAGE_OVER),
	};
	uint64_t future = image_task(image, "none", 0);
	image_await(image, tasks[0], future);
	image_await(image, future, tasks[2]);
	image_await(image, tasks[1], tasks[2]);
	image_tasks(image, fixture->place.thread, tasks, 4);
	assert_true(run(fixture, tasks[1], true));
	assert_no_error(python_tasks_add_others(&fixture->tasks, &fixture->place));
	assert_false(fixture->tasks.is_cut);
	ASSERT_ROWS(fixture, {DUMP_TASK_RUNS, 0, "running", 0}, {DUMP_TASK_WAITS, 1, "b", 1},
		    {DUMP_TASK_WAITS, 0, "a", 1}, {DUMP_TASK_FUTURE, 1, "", 0},
		    {DUMP_TASK_ELSEWHERE, 2, "b", 0}, {DUMP_TASK_WAITS, 0, "c", 0});
	assert_int_equal(fixture->tasks.items[5].end, DUMP_COROUTINE_OVER);
	python_tasks_clear(&fixture->tasks);
	assert_no_error(python_tasks_add_others(&fixture->tasks, &fixture->place));
	assert_string_equal(python_tasks_name(&fixture->tasks, &fixture->tasks.items[0]), "a");
}

static void what_runs_has_to_be_on_the_stack(void **state)
{
	struct fixture *fixture = *state;
	uint64_t task = new_task(fixture, "running", IMAGE_RUNS);
	assert_false(run(fixture, task, false));
	assert_int_equal(fixture->tasks.num_items, 0);
	assert_true(run(fixture, task, true));
	assert_int_equal(fixture->tasks.num_items, 1);
	bool is_steady;
	image_word(&fixture->image, fixture->place.thread + image_asyncio.thread_running_task, 0);
	python_tasks_clear(&fixture->tasks);
	assert_no_error(
		python_tasks_add_running(&fixture->tasks, &fixture->place, NULL, 0, &is_steady));
	assert_true(is_steady);
	assert_int_equal(fixture->tasks.num_items, 0);
}

static void circles_and_long_chains_end(void **state)
{
	enum { LONG = 40 };
	struct fixture *fixture = *state;
	uint64_t tasks[LONG];
	for (size_t i = 0; i < LONG; i++)
		tasks[i] = new_task(fixture, "t", IMAGE_SUSPENDED);
	for (size_t i = 0; i < LONG; i++)
		image_await(&fixture->image, tasks[i], tasks[(i + 1) % LONG]);
	assert_true(run(fixture, tasks[0], true));
	assert_int_equal(fixture->tasks.num_items, PYTHON_TASKS_MAX_DEPTH + 1);
	assert_true(fixture->tasks.items[PYTHON_TASKS_MAX_DEPTH].is_cut);
	python_tasks_clear(&fixture->tasks);
	image_await(&fixture->image, tasks[1], tasks[0]);
	assert_true(run(fixture, tasks[0], true));
	ASSERT_ROWS(fixture, {DUMP_TASK_RUNS, 0, "t", 0}, {DUMP_TASK_WAITS, 1, "t", 1},
		    {DUMP_TASK_ELSEWHERE, 2, "t", 0});
}

static void crowds_are_cut(void **state)
{
	enum { MANY = 128 };
	struct fixture *fixture = *state;
	uint64_t running = new_task(fixture, "running", IMAGE_RUNS), awaiters[MANY];
	uint64_t coroutine =
		image_coroutine(&fixture->image, "coroutine", fixture->code, IMAGE_SUSPENDED, 0);
	for (size_t i = 0; i < MANY; i++)
		awaiters[i] = image_task(&fixture->image, "t", coroutine);
	image_await_set(&fixture->image, running, awaiters, MANY, MANY);
	assert_true(run(fixture, running, true));
	assert_int_equal(fixture->tasks.num_items, 1 + PYTHON_TASKS_MAX_AWAITERS);
	assert_true(fixture->tasks.items[0].is_cut);
	assert_false(fixture->tasks.items[1].is_cut);
}

static void what_is_broken_is_said(void **state)
{
	struct fixture *fixture = *state;
	struct image *image = &fixture->image;
	uint64_t running = new_task(fixture, "running", IMAGE_RUNS);
	image_await(image, running, 0x10);
	assert_true(run(fixture, running, true));
	ASSERT_ROWS(fixture, {DUMP_TASK_RUNS, 0, "running", 0}, {DUMP_TASK_GONE, 1, "", 0});
	python_tasks_clear(&fixture->tasks);
	uint64_t list[] = {new_task(fixture, "a", IMAGE_SUSPENDED)};
	image_tasks(image, fixture->place.thread, list, 1);
	image_word(image, list[0] + image_asyncio.task_node, 0); // it was taken out meanwhile
	assert_no_error(python_tasks_add_others(&fixture->tasks, &fixture->place));
	assert_true(fixture->tasks.is_cut);
	assert_int_equal(fixture->tasks.num_items, 1);
	python_tasks_clear(&fixture->tasks);
	image_word(image, list[0] + image_asyncio.task_node, list[0] + image_asyncio.task_node);
	assert_no_error(python_tasks_add_others(&fixture->tasks, &fixture->place));
	assert_true(fixture->tasks.is_cut);
	assert_int_equal(fixture->tasks.num_items, 1);
}

static void tasks_of_other_kinds_are_not_taken_for_one(void **state)
{
	struct fixture *fixture = *state;
	struct image *image = &fixture->image;
	uint64_t task = new_task(fixture, "running", IMAGE_RUNS);
	uint64_t small = image_object(image, "Mine", 176);
	image_put(image, small, image->bytes + task - IMAGE_BASE, 8);
	image_put(image, small + 16, image->bytes + task + 16 - IMAGE_BASE, 160 - 8);
	assert_true(run(fixture, small, true));
	assert_int_equal(fixture->tasks.num_items, 0);
	image_await(image, task, small);
	assert_true(run(fixture, task, true));
	ASSERT_ROWS(fixture, {DUMP_TASK_RUNS, 0, "running", 0}, {DUMP_TASK_GONE, 1, "", 0});
}

static void tasks_without_a_name_have_a_number(void **state)
{
	struct fixture *fixture = *state;
	struct image *image = &fixture->image;
	uint64_t task = new_task(fixture, "", IMAGE_RUNS);
	uint64_t number = image_object(image, "int", 64);
	image_word(image, number + image->runtime.layout.long_tag, 1 << 3);
	image_half(image, number + image->runtime.layout.long_digits, 17);
	image_word(image, task + image_asyncio.task_name, number);
	assert_true(run(fixture, task, true));
	ASSERT_ROWS(fixture, {DUMP_TASK_RUNS, 0, "Task-17", 0});
	python_tasks_clear(&fixture->tasks);
	image_word(image, task + image_asyncio.task_name, 0x10);
	assert_true(run(fixture, task, true));
	ASSERT_ROWS(fixture, {DUMP_TASK_RUNS, 0, "?", 0});
}

int python_tasks_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(it_shows_who_waits_for_what_runs, setup, teardown),
		cmocka_unit_test_setup_teardown(the_others_follow_in_their_order, setup, teardown),
		cmocka_unit_test_setup_teardown(what_runs_has_to_be_on_the_stack, setup, teardown),
		cmocka_unit_test_setup_teardown(circles_and_long_chains_end, setup, teardown),
		cmocka_unit_test_setup_teardown(crowds_are_cut, setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_broken_is_said, setup, teardown),
		cmocka_unit_test_setup_teardown(tasks_of_other_kinds_are_not_taken_for_one, setup,
						teardown),
		cmocka_unit_test_setup_teardown(tasks_without_a_name_have_a_number, setup,
						teardown),
	};
	return cmocka_run_group_tests_name("python_tasks", tests, NULL, NULL);
}
