// SPDX-License-Identifier: Apache-2.0

#include "process/thread/thread_hold.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static pid_t start(void)
{
	pid_t pid = fork();
	if (pid == 0) {
		for (volatile unsigned i = 0;; i++)
			continue;
	}
	return pid;
}

/** 't': a tracer has stopped it. */
static char state_of(pid_t pid)
{
	char path[64], line[512] = "";
	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	FILE *file = fopen(path, "re");
	assert_non_null(file);
	assert_non_null(fgets(line, sizeof(line), file));
	fclose(file);
	const char *name_end = strrchr(line, ')');
	assert_non_null(name_end);
	return name_end[2];
}

/** On a busy machine it may be a while until the thread runs, and so stops. */
static void hold_begin(struct thread_hold *hold, pid_t pid)
{
	enum { TRIES = 500, PAUSE_US = 20000 };
	bool is_held = thread_hold_begin(hold, (uint32_t)pid, (uint32_t)pid);
	for (int i = 0; i < TRIES && !is_held; i++) {
		usleep(PAUSE_US);
		is_held = thread_hold_begin(hold, (uint32_t)pid, (uint32_t)pid);
	}
	assert_true(is_held);
}

static int end(pid_t pid, int signal)
{
	int status = 0;
	kill(pid, signal);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void what_is_held_stands_still_until_it_goes_on(void **state)
{
	struct thread_hold hold = {.pid = 0};
	pid_t pid = start();
	for (int i = 0; i < 20; i++) {
		hold_begin(&hold, pid);
		assert_int_equal(state_of(pid), 't');
		thread_hold_end(&hold);
		assert_int_not_equal(state_of(pid), 't');
	}
	thread_hold_deinit(&hold);
	assert_int_equal(WTERMSIG(end(pid, SIGTERM)), SIGTERM);
}

static void a_signal_meanwhile_is_not_lost(void **state)
{
	struct thread_hold hold = {.pid = 0};
	pid_t pid = start();
	hold_begin(&hold, pid);
	kill(pid, SIGTERM);
	thread_hold_end(&hold);
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(WTERMSIG(status), SIGTERM);
}

static void the_end_of_a_child_is_left_to_its_parent(void **state)
{
	struct thread_hold hold = {.pid = 0};
	pid_t pid = start();
	hold_begin(&hold, pid);
	thread_hold_end(&hold);
	kill(pid, SIGKILL);
	assert_false(thread_hold_begin(&hold, (uint32_t)pid, (uint32_t)pid) &&
		     thread_hold_begin(&hold, (uint32_t)pid, (uint32_t)pid));
	thread_hold_deinit(&hold);
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(WTERMSIG(status), SIGKILL);
	assert_false(thread_hold_begin(&hold, (uint32_t)pid, (uint32_t)pid));
}

static void who_may_be_held_is_told(void **state)
{
	pid_t pid = start();
	assert_no_error(thread_hold_check((uint32_t)pid));
	assert_int_not_equal(state_of(pid), 't');
	end(pid, SIGKILL);
	struct error *err = thread_hold_check((uint32_t)pid);
	assert_non_null(err);
	assert_non_null(strstr(err->message, "cannot stop process"));
	error_destroy(err);
}

static bool is_blocked(int signal)
{
	sigset_t now;
	assert_int_equal(pthread_sigmask(SIG_BLOCK, NULL, &now), 0);
	return sigismember(&now, signal);
}

// Stopped ourselves, we could let nobody go. What a caller had blocked stays so afterwards.
static void ctrl_z_waits_until_nothing_is_held(void **state)
{
	struct thread_hold hold = {.pid = 0};
	pid_t pid = start();
	sigset_t ours, before;
	sigemptyset(&ours);
	sigaddset(&ours, SIGTTOU);
	assert_int_equal(pthread_sigmask(SIG_BLOCK, &ours, &before), 0);
	for (int i = 0; i < 2; i++) {
		hold_begin(&hold, pid);
		assert_true(is_blocked(SIGTSTP) && is_blocked(SIGTTIN) && is_blocked(SIGTTOU));
		thread_hold_end(&hold);
		assert_true(!is_blocked(SIGTSTP) && !is_blocked(SIGTTIN) && is_blocked(SIGTTOU));
	}
	thread_hold_deinit(&hold);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	end(pid, SIGKILL);
}

/** A process that waits for the end of a child of vfork() does not stop. */
static pid_t start_waiting(int ends_at)
{
	pid_t pid = fork();
	if (pid == 0) {
		char byte;
		if (vfork() == 0) { // NOLINT: what it waits for
			(void)!read(ends_at, &byte, 1);
			_exit(0);
		}
		for (;;)
			pause();
	}
	return pid;
}

static void wait_for_state(pid_t pid, char state)
{
	for (int i = 0; i < 10000 && state_of(pid) != state; i++)
		usleep(1000);
	assert_int_equal(state_of(pid), state);
}

/** What stops later than its hold lives is let go by the next one, and Ctrl-Z waits for that. */
static void who_stops_late_goes_on(void **state)
{
	struct thread_hold other = {.pid = 0}, hold = {.pid = 0}, late = {.pid = 0};
	int gate[2];
	assert_int_equal(pipe(gate), 0);
	pid_t pid = start_waiting(gate[0]), other_pid = start();
	wait_for_state(pid, 'D');
	hold_begin(&other, other_pid);
	assert_false(thread_hold_begin(&hold, (uint32_t)pid, (uint32_t)pid));
	thread_hold_leave(&hold, &late);
	thread_hold_leave(&other, &late);
	assert_int_not_equal(state_of(other_pid), 't');
	assert_true(is_blocked(SIGTSTP));
	thread_hold_release_late(&late);
	assert_int_equal(late.num_late, 1);
	assert_int_equal(write(gate[1], "x", 1), 1);
	wait_for_state(pid, 't');
	thread_hold_release_late(&late);
	assert_int_equal(late.num_late, 0);
	assert_false(is_blocked(SIGTSTP));
	wait_for_state(pid, 'S');
	thread_hold_deinit(&late);
	end(pid, SIGKILL);
	end(other_pid, SIGKILL);
	close(gate[0]);
	close(gate[1]);
}

int thread_hold_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_held_stands_still_until_it_goes_on),
		cmocka_unit_test(a_signal_meanwhile_is_not_lost),
		cmocka_unit_test(the_end_of_a_child_is_left_to_its_parent),
		cmocka_unit_test(who_may_be_held_is_told),
		cmocka_unit_test(ctrl_z_waits_until_nothing_is_held),
		cmocka_unit_test(who_stops_late_goes_on),
	};
	return cmocka_run_group_tests_name("thread_hold", tests, NULL, NULL);
}
