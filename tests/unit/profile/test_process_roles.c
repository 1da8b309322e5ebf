// SPDX-License-Identifier: Apache-2.0

#include "profile/interpreted/process_roles.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "profile/interpreted/process_rows.h"

#include "tests/unit/profile_fixture.h"

static const struct language_role roles[] = {
	{"server/master.py", "run", "server: master", NULL, NULL},
	{"server/worker.py", "work", "server: worker", NULL, NULL},
	{"pool/process.py", "start", "pool: process", "pool: parent", NULL},
	{"runner.py", "run", NULL, NULL, NULL},
	{"pool/workers.py", "loop", "pool: worker", "pool: parent", &roles[2]},
	{0},
};
static const struct language language = {
	.name = "Python", .module_function = "<module>", .roles = roles};

enum { MAIN, RUN, WORK, START, STEP, OTHER_MAIN, RUNNER, LOOP, NUM_FRAMES };

struct places {
	uint32_t frames[NUM_FRAMES];
};

static struct places init_profile(struct named_profile *profile)
{
	assert_no_error(named_profile_init(profile));
	fixture_event(profile, "cycles");
	const struct places places = {{
		[MAIN] = fixture_interpreted(profile, "<module>", "/app/shop.py", 1, 3),
		[RUN] = fixture_interpreted(profile, "Master.run", "/lib/server/master.py", 1, 5),
		[WORK] = fixture_interpreted(profile, "work", "C:\\lib\\server\\worker.py", 1, 7),
		[START] = fixture_interpreted(profile, "start", "/lib/pool/process.py", 1, 9),
		[STEP] = fixture_interpreted(profile, "step", "/app/shop.py", 20, 21),
		[OTHER_MAIN] = fixture_interpreted(profile, "<module>", "/app/other.py", 1, 2),
		[RUNNER] = fixture_interpreted(profile, "run", "<frozen>/runner.py", 1, 2),
		[LOOP] = fixture_interpreted(profile, "loop", "/lib/pool/workers.py", 1, 2),
	}};
	profile->language = &language;
	return places;
}

/** @stack: numbers of places, outermost first; ends with NUM_FRAMES. */
static void add_sample(struct named_profile *profile, const struct places *places, uint32_t thread,
		       const int *stack)
{
	uint32_t frames[NUM_FRAMES];
	size_t num = 0;
	while (stack[num] != NUM_FRAMES)
		num++;
	for (size_t i = 0; i < num; i++)
		frames[i] = places->frames[stack[num - 1 - i]];
	fixture_sample(profile, frames, num, 1);
	profile->samples[profile->num_samples - 1].thread = thread;
}

#define ADD(thread, ...) \
	add_sample(&profile, &places, thread, (const int[]){__VA_ARGS__, NUM_FRAMES})

static void assert_role(const struct named_profile *profile, uint32_t thread, const char *all,
			const char *one)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	process_role_append_all(profile, &profile->threads[thread].role, &text);
	assert_string_equal(string_builder_peek(&text), all);
	string_builder_clear(&text);
	process_role_append_one(profile, &profile->threads[thread].role, &text);
	assert_string_equal(string_builder_peek(&text), one);
}

// Children keep the stack of who forked them; the innermost mark is theirs, and it stays while the
// process winds up or another of its threads runs.
static void test_innermost_mark_counts(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	const struct places places = init_profile(&profile);
	uint32_t master = fixture_thread(&profile, 1, 1, "python3", "python3");
	uint32_t first = fixture_thread(&profile, 2, 2, "python3", "python3");
	uint32_t second = fixture_thread(&profile, 3, 3, "python3", "python3");
	uint32_t helper = fixture_thread(&profile, 2, 4, "helper", "python3");
	ADD(master, MAIN);
	ADD(master, MAIN, RUN);
	ADD(second, MAIN, RUN, WORK, STEP);
	ADD(first, MAIN, RUN); // it has just been forked
	ADD(first, MAIN, RUN, WORK, STEP);
	ADD(helper, STEP);
	ADD(first, MAIN, RUN); // it ends
	ADD(master, MAIN);
	assert_no_error(process_roles_apply(&profile));
	assert_role(&profile, master, "server: master", "server: master");
	assert_role(&profile, first, "server: worker (x2)", "server: worker 2");
	assert_role(&profile, second, "server: worker (x2)", "server: worker 1");
	assert_role(&profile, helper, "server: worker (x2)", "server: worker 2");
}

// What a worker starts by fork and exec has the worker's stack until then.
static void test_exec_ends_a_role(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	const struct places places = init_profile(&profile);
	uint32_t same_name = fixture_thread(&profile, 2, 2, "python3", "python3");
	uint32_t before = fixture_thread(&profile, 3, 3, "python3", "python3");
	uint32_t after = fixture_thread(&profile, 3, 3, "sort", "sort");
	ADD(same_name, MAIN, RUN, WORK);
	ADD(before, MAIN, RUN, WORK);
	ADD(same_name, RUNNER, OTHER_MAIN);
	fixture_sample(&profile, NULL, 0, 1);
	profile.samples[profile.num_samples - 1].thread = after;
	assert_no_error(process_roles_apply(&profile));
	assert_role(&profile, same_name, "python3 other.py", "python3 other.py");
	assert_role(&profile, after, "sort", "sort");
}

// A parent is known by its children, unless it has a role of its own.
static void test_parents_of_marked_children(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	const struct places places = init_profile(&profile);
	uint32_t parent = fixture_thread(&profile, 1, 1, "python3", "python3");
	uint32_t child = fixture_thread(&profile, 2, 2, "python3", "python3");
	uint32_t master = fixture_thread(&profile, 3, 3, "python3", "python3");
	uint32_t said = fixture_thread(&profile, 4, 4, "python3", "python3");
	uint32_t liar = fixture_thread(&profile, 5, 5, "python3", "python3");
	profile.threads[child].parent_pid = 1;
	profile.threads[said].parent_pid = 3;
	profile.threads[said].said_role = fixture_string(&profile, "pool: process");
	profile.threads[liar].parent_pid = 77; // which has no samples
	profile.threads[liar].said_role = fixture_string(&profile, "president");
	ADD(parent, MAIN, STEP);
	ADD(child, MAIN, STEP, START);
	ADD(master, MAIN, RUN);
	ADD(said, STEP);
	ADD(liar, STEP);
	assert_no_error(process_roles_apply(&profile));
	assert_role(&profile, parent, "pool: parent", "pool: parent");
	assert_role(&profile, child, "pool: process (x2)", "pool: process 1");
	assert_role(&profile, said, "pool: process (x2)", "pool: process 2");
	assert_role(&profile, master, "server: master", "server: master");
	assert_role(&profile, liar, "python3", "python3");
}

// A thread of the parent may run what is a worker elsewhere.
static void test_a_mark_may_count_only_inside_of_another(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	const struct places places = init_profile(&profile);
	uint32_t parent = fixture_thread(&profile, 1, 1, "python3", "python3");
	uint32_t thread = fixture_thread(&profile, 1, 11, "python3", "python3");
	uint32_t worker = fixture_thread(&profile, 2, 2, "python3", "python3");
	ADD(parent, MAIN, STEP);
	ADD(thread, LOOP, STEP);
	ADD(thread, MAIN, RUN, LOOP, STEP);
	ADD(worker, MAIN, START, LOOP, STEP);
	assert_no_error(process_roles_apply(&profile));
	assert_role(&profile, parent, "server: master", "server: master");
	assert_role(&profile, worker, "pool: worker", "pool: worker");
}

static void test_names_are_whole(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	init_profile(&profile);
	uint32_t thread = fixture_thread(&profile, 1, 1, "python3", "python3");
	// Neither its file nor its function is the one, though the ends are.
	uint32_t file = fixture_interpreted(&profile, "run", "/lib/myserver/master.py", 1, 5);
	uint32_t function = fixture_interpreted(&profile, "rerun", "/lib/server/master.py", 1, 5);
	profile.language = &language;
	fixture_sample(&profile, (uint32_t[]){file, function}, 2, 1);
	profile.samples[0].thread = thread;
	assert_no_error(process_roles_apply(&profile));
	assert_role(&profile, thread, "python3", "python3");
}

static void test_rows(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	_cleanup_(process_rows_deinit) struct process_rows each = PROCESS_ROWS_INIT;
	_cleanup_(process_rows_deinit) struct process_rows folded = PROCESS_ROWS_INIT;
	const struct places places = init_profile(&profile);
	uint32_t first = fixture_thread(&profile, 1, 1, "python3", "python3");
	uint32_t second = fixture_thread(&profile, 2, 2, "python3", "python3");
	uint32_t other = fixture_thread(&profile, 3, 3, "sh", "sh");
	profile.threads[second].parent_pid = 1;
	ADD(first, MAIN, RUN, WORK, STEP);
	ADD(first, MAIN, RUN, WORK);
	ADD(second, MAIN, RUN, WORK, STEP);
	fixture_sample(&profile, NULL, 0, 5);
	profile.samples[profile.num_samples - 1].thread = other;
	assert_no_error(process_roles_apply(&profile));
	assert_no_error(process_rows_create(&profile, PROCESS_EACH, NULL, &each));
	assert_no_error(process_rows_create(&profile, PROCESS_BY_ROLE, NULL, &folded));
	assert_int_equal(each.num_items, 3);
	assert_int_equal(process_rows_num_children(&profile, &each), 1);
	assert_int_equal(each.items[0].thread, other);
	assert_int_equal(each.items[0].frame, NAMED_NONE);
	assert_int_equal(folded.num_items, 2);
	assert_int_equal(folded.whole.weight, 8);
	assert_int_equal(folded.items[1].self.weight, 3);
	assert_int_equal(folded.items[1].frame, places.frames[STEP]);
	assert_int_equal(folded.items[1].line.weight, 2);
}

int process_roles_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_innermost_mark_counts),
		cmocka_unit_test(test_exec_ends_a_role),
		cmocka_unit_test(test_parents_of_marked_children),
		cmocka_unit_test(test_a_mark_may_count_only_inside_of_another),
		cmocka_unit_test(test_names_are_whole),
		cmocka_unit_test(test_rows),
	};
	return cmocka_run_group_tests_name("process_roles", tests, NULL, NULL);
}
