// SPDX-License-Identifier: Apache-2.0

#include "base/os/interrupt.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

enum { MS = 1000000 };

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static enum interrupt_wake wait_for(int fd, uint64_t timeout_ns)
{
	enum interrupt_wake wake = INTERRUPT_WAKE_TIMEOUT;
	assert_no_error(interrupt_wait(fd, timeout_ns, &wake));
	return wake;
}

static int uninstall(void **state)
{
	interrupt_uninstall();
	return 0;
}

static void signals_set_the_flag(void **state)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	for (size_t i = 0; i < 3; i++) {
		assert_no_error(interrupt_install());
		assert_false(interrupt_requested());
		raise(signals[i]);
		assert_true(interrupt_requested());
		interrupt_uninstall();
		assert_false(interrupt_requested());
	}
}

// The signal came before the wait: nothing must be lost.
static void a_wish_of_the_past_ends_every_wait(void **state)
{
	assert_no_error(interrupt_install());
	raise(SIGINT);
	raise(SIGINT);
	assert_int_equal(wait_for(-1, INTERRUPT_NO_TIMEOUT), INTERRUPT_WAKE_REQUESTED);
	assert_int_equal(wait_for(-1, INTERRUPT_NO_TIMEOUT), INTERRUPT_WAKE_REQUESTED);
}

/** In a process of its own: how it ended. */
static int status_after(int first, int second)
{
	pid_t pid = fork();
	if (pid == 0) {
		signal(SIGINT, SIG_DFL);
		error_destroy(interrupt_install());
		raise(first);
		usleep(150000);
		raise(second);
		_exit(interrupt_requested() ? 3 : 4);
	}
	int status = 0;
	waitpid(pid, &status, 0);
	return status;
}

static void the_second_ctrl_c_ends_the_process(void **state)
{
	int status = status_after(SIGINT, SIGINT);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGINT);
	// Service managers and `timeout` repeat theirs.
	assert_int_equal(WEXITSTATUS(status_after(SIGTERM, SIGTERM)), 3);
	assert_int_equal(WEXITSTATUS(status_after(SIGTERM, SIGINT)), 3);
}

static void the_program_ends_as_well(void **state)
{
	pid_t program = fork();
	if (program == 0) {
		signal(SIGTERM, SIG_DFL);
		for (;;)
			pause();
	}
	pid_t pid = fork();
	if (pid == 0) {
		signal(SIGINT, SIG_DFL);
		error_destroy(interrupt_install());
		interrupt_set_program(program);
		raise(SIGINT);
		usleep(150000);
		raise(SIGINT);
		_exit(0);
	}
	int status = 0;
	waitpid(pid, &status, 0);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(waitpid(program, &status, 0), program);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGTERM);
}

static void what_is_ignored_may_stay_so(void **state)
{
	signal(SIGHUP, SIG_IGN); // nohup
	assert_no_error(interrupt_install());
	raise(SIGHUP);
	assert_false(interrupt_requested());
	interrupt_uninstall();
	signal(SIGHUP, SIG_DFL);
}

static void a_wish_ends_a_wait_under_way(void **state)
{
	assert_no_error(interrupt_install());
	assert_no_error(interrupt_install());
	pid_t parent = getpid();
	pid_t pid = fork();
	if (pid == 0) {
		usleep(50000);
		kill(parent, SIGTERM);
		_exit(0);
	}
	assert_int_equal(wait_for(-1, INTERRUPT_NO_TIMEOUT), INTERRUPT_WAKE_REQUESTED);
	waitpid(pid, NULL, 0);
}

static void time_runs_out(void **state)
{
	double start = seconds();
	assert_int_equal(wait_for(-1, 20 * MS), INTERRUPT_WAKE_TIMEOUT);
	assert_true(seconds() - start >= 0.02);
	assert_int_equal(wait_for(-1, 0), INTERRUPT_WAKE_TIMEOUT);
}

static void ignore(int signal)
{
}

// A window that changes its size does not end a measurement, nor does it make it longer.
static void other_signals_do_not_end_a_wait(void **state)
{
	struct sigaction before, action = {.sa_handler = ignore};
	sigaction(SIGWINCH, &action, &before);
	pid_t parent = getpid();
	pid_t pid = fork();
	if (pid == 0) {
		for (int i = 0; i < 10; i++) {
			usleep(10000);
			kill(parent, SIGWINCH);
		}
		_exit(0);
	}
	double start = seconds();
	assert_int_equal(wait_for(-1, 60 * MS), INTERRUPT_WAKE_TIMEOUT);
	assert_true(seconds() - start >= 0.06);
	waitpid(pid, NULL, 0);
	sigaction(SIGWINCH, &before, NULL);
}

static void a_readable_file_ends_a_wait(void **state)
{
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(wait_for(ends[0], 0), INTERRUPT_WAKE_TIMEOUT);
	close(ends[1]);
	assert_int_equal(wait_for(ends[0], INTERRUPT_NO_TIMEOUT), INTERRUPT_WAKE_READY);
	assert_int_equal(wait_for(ends[0], INTERRUPT_NO_TIMEOUT - 1), INTERRUPT_WAKE_READY);

	assert_no_error(interrupt_install());
	raise(SIGINT);
	assert_int_equal(wait_for(ends[0], 0), INTERRUPT_WAKE_REQUESTED);
	close(ends[0]);
}

// A library has no handlers; its caller asks by a descriptor.
static void a_descriptor_may_ask_to_stop(void **state)
{
	int ends[2], stop[2];
	enum interrupt_wake wake = INTERRUPT_WAKE_TIMEOUT;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(pipe(stop), 0);
	assert_int_equal(write(ends[1], "x", 1), 1);
	assert_no_error(interrupt_wait_with(ends[0], stop[0], INTERRUPT_NO_TIMEOUT, &wake));
	assert_int_equal(wake, INTERRUPT_WAKE_READY);
	assert_int_equal(write(stop[1], "x", 1), 1);
	assert_no_error(interrupt_wait_with(ends[0], stop[0], INTERRUPT_NO_TIMEOUT, &wake));
	assert_int_equal(wake, INTERRUPT_WAKE_REQUESTED);
	for (size_t i = 0; i < 2; i++) {
		close(ends[i]);
		close(stop[i]);
	}
}

static void signals_do_afterwards_what_they_did_before(void **state)
{
	struct sigaction before, after;
	sigaction(SIGINT, &(struct sigaction){.sa_handler = ignore}, &before);
	assert_no_error(interrupt_install());
	interrupt_uninstall();
	interrupt_uninstall();
	sigaction(SIGINT, &before, &after);
	assert_ptr_equal(after.sa_handler, ignore);
}

// As in a library, whose caller does with signals what it likes.
static void without_handlers_waits_end_all_the_same(void **state)
{
	struct sigaction before, after;
	sigaction(SIGINT, &(struct sigaction){.sa_handler = ignore}, &before);
	assert_int_equal(wait_for(-1, 0), INTERRUPT_WAKE_TIMEOUT);
	interrupt_set_program(getpid());
	interrupt_forked();
	raise(SIGINT);
	usleep(150000);
	raise(SIGINT);
	assert_false(interrupt_requested());
	assert_int_equal(wait_for(-1, 0), INTERRUPT_WAKE_TIMEOUT);
	sigaction(SIGINT, &before, &after);
	assert_ptr_equal(after.sa_handler, ignore);
}

static void a_hangup_may_mean_something_else(void **state)
{
	struct wake_event event = WAKE_EVENT_INIT;
	assert_no_error(wake_event_init(&event));
	assert_no_error(interrupt_install());
	interrupt_use_hangup(&event);
	raise(SIGHUP);
	assert_false(interrupt_requested());
	assert_int_equal(wait_for(event.fd, INTERRUPT_NO_TIMEOUT), INTERRUPT_WAKE_READY);
	interrupt_use_hangup(NULL);
	raise(SIGHUP);
	assert_true(interrupt_requested());
	wake_event_deinit(&event);
}

int interrupt_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(signals_set_the_flag, uninstall),
		cmocka_unit_test_teardown(a_wish_of_the_past_ends_every_wait, uninstall),
		cmocka_unit_test_teardown(a_hangup_may_mean_something_else, uninstall),
		cmocka_unit_test(the_second_ctrl_c_ends_the_process),
		cmocka_unit_test(the_program_ends_as_well),
		cmocka_unit_test_teardown(what_is_ignored_may_stay_so, uninstall),
		cmocka_unit_test_teardown(a_wish_ends_a_wait_under_way, uninstall),
		cmocka_unit_test(time_runs_out),
		cmocka_unit_test(other_signals_do_not_end_a_wait),
		cmocka_unit_test_teardown(a_readable_file_ends_a_wait, uninstall),
		cmocka_unit_test(a_descriptor_may_ask_to_stop),
		cmocka_unit_test(signals_do_afterwards_what_they_did_before),
		cmocka_unit_test(without_handlers_waits_end_all_the_same),
	};
	return cmocka_run_group_tests_name("interrupt", tests, NULL, NULL);
}
