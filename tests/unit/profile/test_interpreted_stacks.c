// SPDX-License-Identifier: Apache-2.0

#include "profile/interpreted/interpreted_stacks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "profile/hot/hot_label.h"
#include "profile/hot/hot_list.h"
#include "profile/interpreted/interpreted_task.h"

#include "tests/unit/profile_fixture.h"

#include <string.h>

static void assert_stack(const struct named_profile *profile, size_t sample, const char *expected)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	for (uint32_t at = profile->samples[sample].stack; at != STACK_NONE;
	     at = profile->stacks.nodes[at].parent) {
		uint32_t frame = profile->stacks.nodes[at].frame;
		uint32_t name = profile->functions[profile->frames[frame].function].name;
		string_builder_appendf(&text, "%s ", named_profile_text(profile, name));
	}
	assert_string_equal(string_builder_peek(&text), expected);
}

// start -> run (Python) -> step (Python) -> add -> back (Python) -> add
static void init_profile(struct named_profile *profile)
{
	assert_no_error(named_profile_init(profile));
	fixture_thread(profile, 1, 1, "app", "app");
	fixture_event(profile, "cycles");
	uint32_t start = fixture_place(profile, "start", "start.c", 1);
	uint32_t add = fixture_place(profile, "add", "add.c", 2);
	uint32_t run = fixture_interpreted(profile, "run", "/app.py", 1, 3);
	uint32_t step = fixture_interpreted(profile, "step", "/app.py", 5, 6);
	uint32_t back = fixture_interpreted(profile, "back", "/app.py", 8, 9);
	fixture_sample(profile, (uint32_t[]){add, back, add, step, run, start}, 6, 1);
	fixture_sample(profile, (uint32_t[]){add, start}, 2, 1);
	fixture_sample(profile, NULL, 0, 1);
}

static void test_python_alone(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	init_profile(&profile);
	assert_true(interpreted_stacks_are_there(&profile));
	assert_no_error(interpreted_stacks_reduce(&profile));
	assert_stack(&profile, 0, "back step run ");
	assert_stack(&profile, 1, "[no Python] ");
	assert_stack(&profile, 2, "[no Python] ");
}

static void test_without_python(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	init_profile(&profile);
	assert_no_error(interpreted_stacks_hide(&profile));
	assert_stack(&profile, 0, "add [Python] add [Python] start ");
	assert_stack(&profile, 1, "add start ");
	assert_stack(&profile, 2, "");
}

/** Half of the functions become Python's. */
static void init_random(struct named_profile *profile, uint32_t seed)
{
	fixture_random_profile(profile, seed, 300);
	for (size_t i = 0; i < profile->num_functions; i += 2)
		profile->functions[i].kind = FRAME_INTERPRETED;
}

static const struct hot_entry *find(const struct hot_list *list,
				    const struct named_profile *profile, const char *name)
{
	for (size_t i = 0; i < list->num_entries; i++) {
		_cleanup_(string_builder_deinit) struct string_builder label = STRING_BUILDER_INIT;
		hot_label_append(list, profile, &list->entries[i], &label);
		if (strcmp(string_builder_peek(&label), name) == 0)
			return &list->entries[i];
	}
	return NULL;
}

// A hot list of Python's functions is the hot list of functions of the reduced stacks.
static void test_hot_functions_are_those_of_reduced_stacks(void **state)
{
	for (uint32_t seed = 1; seed <= 10; seed++) {
		_cleanup_(named_profile_deinit) struct named_profile mixed, reduced;
		_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
		_cleanup_(hot_list_deinit) struct hot_list expected = HOT_LIST_INIT;
		init_random(&mixed, seed);
		init_random(&reduced, seed);
		assert_no_error(interpreted_stacks_reduce(&reduced));
		assert_no_error(hot_list_create(&mixed, HOT_INTERPRETED_FUNCTION, HOT_BY_SELF, NULL,
						&list));
		assert_no_error(
			hot_list_create(&reduced, HOT_FUNCTION, HOT_BY_SELF, NULL, &expected));
		assert_int_equal(list.num_entries, expected.num_entries);
		for (size_t i = 0; i < list.num_entries; i++) {
			_cleanup_(string_builder_deinit) struct string_builder name =
				STRING_BUILDER_INIT;
			hot_label_append(&list, &mixed, &list.entries[i], &name);
			const struct hot_entry *same =
				find(&expected, &reduced, string_builder_peek(&name));
			assert_non_null(same);
			assert_int_equal(list.entries[i].self.weight, same->self.weight);
			assert_int_equal(list.entries[i].total.weight, same->total.weight);
		}
	}
}

static void test_a_line_is_one_whatever_the_function(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
	assert_no_error(named_profile_init(&profile));
	fixture_thread(&profile, 1, 1, "app", "app");
	fixture_event(&profile, "cycles");
	uint32_t outer = fixture_interpreted(&profile, "f", "/app.py", 1, 3);
	uint32_t inner = fixture_interpreted(&profile, "f.<locals>.<listcomp>", "/app.py", 3, 3);
	fixture_sample(&profile, (uint32_t[]){inner, outer}, 2, 5);
	fixture_sample(&profile, (uint32_t[]){outer}, 1, 2);
	assert_no_error(hot_list_create(&profile, HOT_INTERPRETED_LINE, HOT_BY_SELF, NULL, &list));
	assert_int_equal(list.num_entries, 1);
	assert_int_equal(list.entries[0].self.weight, 7);
	assert_int_equal(list.entries[0].total.weight, 7);
	// That of most of its samples, although another one came first.
	assert_int_equal(hot_label_function(&list, &profile, &list.entries[0]),
			 profile.frames[inner].function);
}

// task outer -> wait -> task inner -> work -> add; task outer -> work; start
static void test_a_sample_is_of_the_innermost_task(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	_cleanup_(hot_list_deinit) struct hot_list tasks = HOT_LIST_INIT;
	_cleanup_(hot_list_deinit) struct hot_list lines = HOT_LIST_INIT;
	assert_no_error(named_profile_init(&profile));
	fixture_thread(&profile, 1, 1, "app", "app");
	fixture_event(&profile, "cycles");
	uint32_t add = fixture_place(&profile, "add", "add.c", 2);
	uint32_t work = fixture_interpreted(&profile, "work", "/app.py", 1, 3);
	uint32_t wait = fixture_interpreted(&profile, "wait", "/app.py", 5, 6);
	uint32_t inner = fixture_interpreted(&profile, "task inner", INTERPRETED_TASK_FILE, 0, 0);
	uint32_t outer = fixture_interpreted(&profile, "task outer", INTERPRETED_TASK_FILE, 0, 0);
	fixture_sample(&profile, (uint32_t[]){add, work, inner, wait, outer}, 5, 5);
	fixture_sample(&profile, (uint32_t[]){work, outer}, 2, 2);
	fixture_sample(&profile, (uint32_t[]){work}, 1, 1);
	assert_no_error(hot_list_create(&profile, HOT_INTERPRETED_TASK, HOT_BY_SELF, NULL, &tasks));
	assert_int_equal(tasks.num_entries, 3);
	assert_int_equal(tasks.entries[0].item, profile.frames[inner].function);
	assert_int_equal(tasks.entries[0].self.weight, 5);
	assert_int_equal(tasks.entries[1].item, profile.frames[outer].function);
	assert_int_equal(tasks.entries[1].self.weight, 2);
	assert_int_equal(tasks.entries[1].total.weight, 7);
	assert_int_equal(tasks.entries[2].item, NAMED_NONE);
	assert_int_equal(tasks.entries[2].self.weight, 1);
	// A task is no line.
	assert_no_error(hot_list_create(&profile, HOT_INTERPRETED_LINE, HOT_BY_SELF, NULL, &lines));
	for (size_t i = 0; i < lines.num_entries; i++)
		assert_true(lines.entries[i].item == NAMED_NONE || lines.entries[i].item == work ||
			    lines.entries[i].item == wait);
}

// add, raise KeyError, find; raise KeyError at another line, find; find
static void test_an_exception_is_of_its_line(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	_cleanup_(hot_list_deinit) struct hot_list types = HOT_LIST_INIT;
	_cleanup_(hot_list_deinit) struct hot_list raises = HOT_LIST_INIT;
	_cleanup_(hot_list_deinit) struct hot_list lines = HOT_LIST_INIT;
	_cleanup_(string_builder_deinit) struct string_builder label = STRING_BUILDER_INIT;
	assert_no_error(named_profile_init(&profile));
	fixture_thread(&profile, 1, 1, "app", "app");
	fixture_event(&profile, "exceptions");
	uint32_t add = fixture_place(&profile, "add", "add.c", 2);
	uint32_t find = fixture_interpreted(&profile, "find", "/app.py", 1, 3);
	uint32_t other = fixture_interpreted(&profile, "find", "/app.py", 1, 5);
	uint32_t first = fixture_interpreted(&profile, "raise KeyError", "/app.py", 3, 3);
	uint32_t second = fixture_interpreted(&profile, "raise KeyError", "/app.py", 5, 5);
	fixture_sample(&profile, (uint32_t[]){add, first, find}, 3, 5);
	fixture_sample(&profile, (uint32_t[]){second, other}, 2, 2);
	fixture_sample(&profile, (uint32_t[]){find}, 1, 1);
	assert_no_error(
		hot_list_create(&profile, HOT_INTERPRETED_EXCEPTION, HOT_BY_SELF, NULL, &types));
	assert_int_equal(types.num_entries, 2);
	assert_int_equal(types.entries[0].self.weight, 7);
	assert_int_equal(types.entries[1].item, NAMED_NONE);
	hot_label_append(&types, &profile, &types.entries[0], &label);
	assert_string_equal(string_builder_peek(&label), "KeyError");
	string_builder_clear(&label);
	assert_no_error(
		hot_list_create(&profile, HOT_INTERPRETED_RAISE, HOT_BY_SELF, NULL, &raises));
	assert_int_equal(raises.num_entries, 3);
	assert_int_equal(raises.entries[0].self.weight, 5);
	hot_label_append(&raises, &profile, &raises.entries[0], &label);
	assert_string_equal(string_builder_peek(&label), "KeyError at /app.py:3");
	// The line is that of its function.
	assert_no_error(hot_list_create(&profile, HOT_INTERPRETED_LINE, HOT_BY_SELF, NULL, &lines));
	assert_int_equal(lines.entries[0].item, find);
	assert_int_equal(lines.entries[0].self.weight, 6);
}

static void test_a_profile_without_any(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
	fixture_random_profile(&profile, 1, 20);
	assert_false(interpreted_stacks_are_there(&profile));
	assert_no_error(hot_list_create(&profile, HOT_INTERPRETED_FILE, HOT_BY_SELF, NULL, &list));
	assert_int_equal(list.num_entries, 1);
	assert_int_equal(list.entries[0].item, NAMED_NONE);
	assert_int_equal(list.entries[0].self.weight, list.whole.weight);
}

int interpreted_stacks_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_python_alone),
		cmocka_unit_test(test_without_python),
		cmocka_unit_test(test_hot_functions_are_those_of_reduced_stacks),
		cmocka_unit_test(test_a_line_is_one_whatever_the_function),
		cmocka_unit_test(test_a_sample_is_of_the_innermost_task),
		cmocka_unit_test(test_an_exception_is_of_its_line),
		cmocka_unit_test(test_a_profile_without_any),
	};
	return cmocka_run_group_tests_name("interpreted_stacks", tests, NULL, NULL);
}
