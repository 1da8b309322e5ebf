// SPDX-License-Identifier: Apache-2.0

#include "base/cleanup.h"
#include "base/os/interrupt.h"
#include "process/process_watch.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

enum { TEN_SECONDS_MS = 10000 };

static pid_t start_sleeper(void)
{
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		pause();
		_exit(0);
	}
	return pid;
}

static void test_end_wakes_and_is_noticed_before_anybody_collects_it(void **state)
{
	int fd = -1;
	enum interrupt_wake wake;
	pid_t pid = start_sleeper();
	assert_no_error(process_watch_open((uint32_t)pid, &fd));
	assert_false(process_watch_has_ended(fd));
	kill(pid, SIGKILL);
	assert_no_error(interrupt_wait(fd, TEN_SECONDS_MS * UINT64_C(1000000), &wake));
	assert_int_equal(wake, INTERRUPT_WAKE_READY);
	assert_true(process_watch_has_ended(fd)); // a zombie
	waitpid(pid, NULL, 0);
	assert_true(process_watch_has_ended(fd));
	process_watch_close(&fd);
	assert_int_equal(fd, -1);
	process_watch_close(&fd);
}

static void test_process_that_does_not_exist(void **state)
{
	int fd = -1;
	pid_t pid = start_sleeper();
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	struct error *err = process_watch_open((uint32_t)pid, &fd);
	assert_non_null(err);
	assert_non_null(strstr(err->message, "cannot watch process"));
	assert_non_null(strstr(err->message, "No such process"));
	assert_non_null(strstr(err->hint, "give the ID of a running process"));
	assert_int_equal(fd, -1);
	error_destroy(err);
}

int process_watch_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_end_wakes_and_is_noticed_before_anybody_collects_it),
		cmocka_unit_test(test_process_that_does_not_exist),
	};
	return cmocka_run_group_tests_name("process_watch", tests, NULL, NULL);
}
