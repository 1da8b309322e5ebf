// SPDX-License-Identifier: Apache-2.0

#include "source/timer/task_look.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define BEHIND_STATE \
	"1 2 3 0 -1 4194304 1 0 0 0 7 5 0 0 20 0 1 0 99 1000 10 18446744073709551615 4096 8192 "

static void the_state_is_behind_any_name(void **state)
{
	struct task_look look;
	assert_true(task_look_parse("12 (python3) R " BEHIND_STATE "140737488\n", &look));
	assert_true(look.is_running);
	assert_false(look.is_over);
	assert_int_equal(look.start_stack, 140737488);
	assert_true(task_look_parse("12 (a) R 5 (b\n) S " BEHIND_STATE "5", &look));
	assert_false(look.is_running);
	assert_true(task_look_parse("12 (gone) Z " BEHIND_STATE "0 0", &look));
	assert_true(look.is_over);
}

static void what_is_cut_is_no_look(void **state)
{
	static const char whole[] = "12 (x) R " BEHIND_STATE "9";
	struct task_look look;
	assert_true(task_look_parse(whole, &look));
	for (size_t length = 0; length + 1 < sizeof(whole) - 1; length++) {
		char line[sizeof(whole)];
		memcpy(line, whole, length);
		line[length] = '\0';
		assert_false(task_look_parse(line, &look));
	}
}

static void a_core_is_had_until_it_is_left(void **state)
{
	static const char status[] =
		"Name:\tx\nvoluntary_ctxt_switches:\t3\nnonvoluntary_ctxt_switches:\t4\n";
	struct task_clock clock = {.kernel_ns = 1, .cycles = 1};
	assert_true(task_clock_parse("5000 70 8\n", status, &clock));
	assert_true(clock.has_core);
	assert_int_equal(clock.time_ns, 5000);
	assert_int_equal(clock.delay_ns, 70);
	assert_int_equal(clock.kernel_ns, 0);
	assert_int_equal(clock.cycles, 0);
	assert_true(task_clock_parse("5000 70 7\n", status, &clock));
	assert_false(clock.has_core);
	assert_true(task_clock_parse("5000 70 7\n", "Name:\tx\n", &clock));
	assert_true(clock.has_core);
	assert_false(task_clock_parse("5000 70", status, &clock));
	assert_false(task_clock_parse("", status, &clock));
}

/** Whoever asks has a core, and its time goes on. */
static void our_own_thread_runs(void **state)
{
	struct task_files files = TASK_FILES_INIT;
	struct task_look look;
	struct task_clock first, second;
	assert_true(task_files_open((uint32_t)getpid(), (uint32_t)getpid(), &files));
	assert_true(task_files_look(&files, &look));
	assert_true(look.is_running);
	assert_true(task_files_clock(&files, &first));
	usleep(1000);
	assert_true(task_files_clock(&files, &second));
	assert_true(second.has_core);
	assert_true(second.time_ns > first.time_ns);
	task_files_close(&files);
	assert_false(task_files_look(&files, &look));
	assert_false(task_files_open(0, 0, &files));
}

int task_look_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_state_is_behind_any_name),
		cmocka_unit_test(what_is_cut_is_no_look),
		cmocka_unit_test(a_core_is_had_until_it_is_left),
		cmocka_unit_test(our_own_thread_runs),
	};
	return cmocka_run_group_tests_name("task_look", tests, NULL, NULL);
}
