// SPDX-License-Identifier: Apache-2.0

#include "session/program/child.h"

#include "base/container/array.h"
#include "base/os/interrupt.h"
#include "tests/unit/open_files.h"

#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static char *const *shell(const char *script)
{
	static char *words[4];
	words[0] = (char *)"sh";
	words[1] = (char *)"-c";
	words[2] = (char *)script;
	words[3] = NULL;
	return words;
}

static void spawn(const char *script, struct child *child)
{
	assert_no_error(child_spawn(shell(script), NULL, NULL, 0, CHILD_OUTPUT_OURS, child));
}

static bool has_children(void)
{
	return waitpid(-1, NULL, WNOHANG) >= 0 || errno != ECHILD;
}

static void it_tells_how_the_program_ended(void **state)
{
	static const struct {
		const char *script;
		int exit_code, signal;
	} rows[] = {
		{"exit 0", 0, 0},
		{"exit 7", 7, 0},
		{"kill -TERM $$", 128 + SIGTERM, SIGTERM},
		{"kill -KILL $$", 128 + SIGKILL, SIGKILL},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(child_deinit) struct child child = CHILD_INIT;
		spawn(rows[i].script, &child);
		assert_no_error(child_release(&child));
		assert_no_error(child_wait(&child));
		assert_true(child.has_ended);
		assert_int_equal(child.exit_code, rows[i].exit_code);
		assert_int_equal(child.signal, rows[i].signal);
		assert_no_error(child_wait(&child));
	}
}

static void it_has_the_environment_that_was_asked_for(void **state)
{
	static char variable[] = "WPERF_TEST_CHILD=7";
	char *const environment[] = {variable, NULL};
	_cleanup_(child_deinit) struct child child = CHILD_INIT;
	assert_no_error(child_spawn(shell("exit $WPERF_TEST_CHILD"), environment, NULL, 0,
				    CHILD_OUTPUT_OURS, &child));
	assert_no_error(child_release(&child));
	assert_no_error(child_wait(&child));
	assert_int_equal(child.exit_code, 7);
}

static void its_time_is_told(void **state)
{
	_cleanup_(child_deinit) struct child child = CHILD_INIT;
	spawn("i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done", &child);
	assert_no_error(child_release(&child));
	assert_no_error(child_wait(&child));
	assert_true(child.user_ns + child.system_ns > 5000000);
}

static void it_waits_for_its_release(void **state)
{
	char path[] = "/tmp/test_child_XXXXXX";
	assert_non_null(mkdtemp(path));
	char script[64];
	snprintf(script, sizeof(script), "rmdir %s", path);
	_cleanup_(child_deinit) struct child child = CHILD_INIT;
	spawn(script, &child);
	usleep(50000);
	assert_int_equal(access(path, F_OK), 0);
	assert_no_error(child_release(&child));
	assert_no_error(child_wait(&child));
	assert_int_equal(access(path, F_OK), -1);
}

static void what_cannot_be_run_is_told(void **state)
{
	char path[] = "/tmp/test_child_XXXXXX";
	close(mkstemp(path));
	char not_executable[64];
	snprintf(not_executable, sizeof(not_executable), "cannot run '%s': it is not executable",
		 path);
	const struct {
		const char *program, *message;
	} rows[] = {
		{"nosuch", "cannot run 'nosuch': No such file or directory"},
		{"", "cannot run '': No such file or directory"},
		{"/", "cannot run '/': it is not a file"},
		{path, not_executable},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(child_deinit) struct child child = CHILD_INIT;
		char *words[] = {(char *)rows[i].program, NULL};
		assert_no_error(child_spawn(words, NULL, NULL, 0, CHILD_OUTPUT_OURS, &child));
		_cleanup_(error_destroyp) struct error *err = child_release(&child);
		assert_non_null(err);
		assert_string_equal(err->message, rows[i].message);
		assert_non_null(err->hint);
		assert_true(child.has_ended);
		assert_false(has_children());
	}
	unlink(path);
}

static void only_path_says_where_names_are(void **state)
{
	char folder[] = "/tmp/test_child_XXXXXX";
	assert_non_null(mkdtemp(folder));
	_cleanup_free_ char *before = getcwd(NULL, 0);
	assert_int_equal(chdir(folder), 0);
	assert_int_equal(symlink("/bin/true", "only_here"), 0);
	{
		_cleanup_(child_deinit) struct child child = CHILD_INIT;
		char *words[] = {(char *)"only_here", NULL};
		assert_no_error(child_spawn(words, NULL, NULL, 0, CHILD_OUTPUT_OURS, &child));
		assert_error(child_release(&child), ERROR_FAILED,
			     "cannot run 'only_here': No such file or directory");
	}
	{
		_cleanup_(child_deinit) struct child child = CHILD_INIT;
		char *words[] = {(char *)"./only_here", NULL};
		assert_no_error(child_spawn(words, NULL, NULL, 0, CHILD_OUTPUT_OURS, &child));
		assert_no_error(child_release(&child));
		assert_no_error(child_wait(&child));
	}
	unlink("only_here");
	assert_int_equal(chdir(before), 0);
	rmdir(folder);
}

static void a_child_that_was_not_released_never_runs(void **state)
{
	char path[] = "/tmp/test_child_XXXXXX";
	assert_non_null(mkdtemp(path));
	char script[64];
	snprintf(script, sizeof(script), "rmdir %s", path);
	struct child child = CHILD_INIT;
	spawn(script, &child);
	child_deinit(&child);
	assert_false(has_children());
	assert_int_equal(rmdir(path), 0);
}

static void a_child_that_still_runs_is_ended(void **state)
{
	static const char *const scripts[] = {"exec sleep 100", "trap '' TERM; sleep 2; exit 0"};
	for (size_t i = 0; i < ARRAY_SIZE(scripts); i++) {
		struct child child = CHILD_INIT;
		spawn(scripts[i], &child);
		assert_no_error(child_release(&child));
		child_deinit(&child);
		assert_false(has_children());
	}
}

static void a_child_that_was_killed_while_it_waited_is_no_riddle(void **state)
{
	_cleanup_(child_deinit) struct child child = CHILD_INIT;
	spawn("exit 0", &child);
	child_kill(&child, SIGKILL);
	usleep(20000);
	assert_no_error(child_release(&child));
	assert_no_error(child_wait(&child));
	assert_int_equal(child.signal, SIGKILL);
}

static void its_end_wakes_a_wait(void **state)
{
	_cleanup_(child_deinit) struct child child = CHILD_INIT;
	enum interrupt_wake wake;
	spawn("exit 0", &child);
	assert_no_error(interrupt_wait(child.pidfd, 10000000, &wake));
	assert_int_equal(wake, INTERRUPT_WAKE_TIMEOUT);
	assert_no_error(child_release(&child));
	assert_no_error(interrupt_wait(child.pidfd, INTERRUPT_NO_TIMEOUT, &wake));
	assert_int_equal(wake, INTERRUPT_WAKE_READY);
}

// We only take note of Ctrl-C; the program does with it what it would do without us.
static void ctrl_c_ends_the_program_and_not_us(void **state)
{
	assert_no_error(interrupt_install());
	_cleanup_(child_deinit) struct child child = CHILD_INIT;
	spawn("exec sleep 100", &child);
	assert_int_equal(getpgid(child.pid), getpgrp());
	assert_no_error(child_release(&child));
	child_kill(&child, SIGINT);
	assert_no_error(child_wait(&child));
	assert_int_equal(child.signal, SIGINT);
	assert_false(interrupt_requested());
	interrupt_uninstall();
}

static void ignored_ends_of_children_do_not_matter(void **state)
{
	signal(SIGCHLD, SIG_IGN);
	child_keep_ends();
	_cleanup_(child_deinit) struct child child = CHILD_INIT;
	spawn("exit 3", &child);
	assert_no_error(child_release(&child));
	assert_no_error(child_wait(&child));
	assert_int_equal(child.exit_code, 3);
}

// In a library, SIGCHLD is the caller's. That costs an error, and neither a hang nor a guess.
static void an_end_that_nobody_kept_is_told(void **state)
{
	_cleanup_(child_deinit) struct child child = CHILD_INIT;
	struct sigaction after;
	signal(SIGCHLD, SIG_IGN);
	spawn("exit 3", &child);
	assert_no_error(child_release(&child));
	assert_error(child_wait(&child), ERROR_FAILED, "cannot wait for 'sh': No child processes");
	assert_true(child.has_ended);
	sigaction(SIGCHLD, NULL, &after);
	assert_ptr_equal(after.sa_handler, SIG_IGN);
	child_keep_ends();
}

static void it_stays_on_its_cores(void **state)
{
	cpu_set_t ours, its;
	assert_int_equal(sched_getaffinity(0, sizeof(ours), &ours), 0);
	unsigned core = 0;
	while (!CPU_ISSET(core, &ours))
		core++;
	_cleanup_(child_deinit) struct child child = CHILD_INIT;
	assert_no_error(child_spawn(shell("exit 0"), NULL, &core, 1, CHILD_OUTPUT_OURS, &child));
	assert_int_equal(sched_getaffinity(child.pid, sizeof(its), &its), 0);
	assert_int_equal(CPU_COUNT(&its), 1);
	assert_true(CPU_ISSET(core, &its));
}

static void cores_that_are_not_there_are_an_error(void **state)
{
	struct child child = CHILD_INIT;
	assert_error(child_spawn(shell("exit 0"), NULL, (unsigned[]){100000}, 1, CHILD_OUTPUT_OURS,
				 &child),
		     ERROR_FAILED, "cannot run 'sh' on core 100000: Invalid argument");
	assert_false(has_children());
}

static void nothing_stays_open(void **state)
{
	size_t before = count_open_files();
	for (int i = 0; i < 3; i++) {
		_cleanup_(child_deinit) struct child child = CHILD_INIT;
		spawn("exit 0", &child);
		if (i > 0)
			assert_no_error(child_release(&child));
		if (i > 1)
			assert_no_error(child_wait(&child));
	}
	assert_int_equal(count_open_files(), before);
}

// Files that we keep open are none of the program's business.
static void it_gets_no_files_of_ours(void **state)
{
	assert_no_error(interrupt_install());
	_cleanup_(child_deinit) struct child child = CHILD_INIT;
	// 0, 1, 2, and that of ls.
	spawn("for fd in /proc/self/fd/*; do case ${fd##*/} in 0|1|2|3|10) ;; *) "
	      "readlink $fd | grep -q 'socket\\|anon_inode' && exit 1;; esac; done; exit 0",
	      &child);
	assert_no_error(child_release(&child));
	assert_no_error(child_wait(&child));
	assert_int_equal(child.exit_code, 0);
	interrupt_uninstall();
}

int child_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_tells_how_the_program_ended),
		cmocka_unit_test(it_has_the_environment_that_was_asked_for),
		cmocka_unit_test(its_time_is_told),
		cmocka_unit_test(it_waits_for_its_release),
		cmocka_unit_test(what_cannot_be_run_is_told),
		cmocka_unit_test(only_path_says_where_names_are),
		cmocka_unit_test(a_child_that_was_not_released_never_runs),
		cmocka_unit_test(a_child_that_still_runs_is_ended),
		cmocka_unit_test(a_child_that_was_killed_while_it_waited_is_no_riddle),
		cmocka_unit_test(its_end_wakes_a_wait),
		cmocka_unit_test(ctrl_c_ends_the_program_and_not_us),
		cmocka_unit_test(ignored_ends_of_children_do_not_matter),
		cmocka_unit_test(an_end_that_nobody_kept_is_told),
		cmocka_unit_test(it_stays_on_its_cores),
		cmocka_unit_test(cores_that_are_not_there_are_an_error),
		cmocka_unit_test(nothing_stays_open),
		cmocka_unit_test(it_gets_no_files_of_ours),
	};
	return cmocka_run_group_tests_name("child", tests, NULL, NULL);
}
