// SPDX-License-Identifier: Apache-2.0

#include "process/process_end_thread.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { AT_MOST_MS = 10000, STEP_MS = 5, PAUSES_MS = 100 };

static bool is_ready(int fd, int timeout_ms)
{
	struct pollfd end = {.fd = fd, .events = POLLIN};
	return poll(&end, 1, timeout_ms) == 1;
}

static pid_t start_process(void (*act)(void))
{
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		act();
		_exit(0);
	}
	return pid;
}

static void sleep_until_killed(void)
{
	pause();
}

static void *sleep_in_thread(void *context)
{
	pause();
	return NULL;
}

/** The first thread ends, and is a zombie; the program goes on. */
static void leave_to_other_thread(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, sleep_in_thread, NULL);
	pthread_exit(NULL);
}

static void end_process(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static size_t count_threads(void)
{
	size_t num = 0;
	DIR *tasks = opendir("/proc/self/task");
	assert_non_null(tasks);
	for (struct dirent *entry = readdir(tasks); entry; entry = readdir(tasks))
		num += entry->d_name[0] != '.';
	closedir(tasks);
	return num;
}

static void await_num_threads(size_t num)
{
	for (int waited = 0; count_threads() != num; waited += STEP_MS) {
		assert_true(waited < AT_MOST_MS);
		poll(NULL, 0, STEP_MS);
	}
}

static void test_zombie_has_ended(void **state)
{
	pid_t pid = start_process(sleep_until_killed);
	int fd = process_end_thread_start((uint32_t)pid);
	assert_true(fd >= 0);
	assert_false(is_ready(fd, PAUSES_MS));
	kill(pid, SIGKILL);
	assert_true(is_ready(fd, AT_MOST_MS));
	waitpid(pid, NULL, 0);
	assert_true(is_ready(fd, 0));
	close(fd);
	await_num_threads(1);
}

static void test_process_goes_on_without_its_first_thread(void **state)
{
	pid_t pid = start_process(leave_to_other_thread);
	int fd = process_end_thread_start((uint32_t)pid);
	assert_true(fd >= 0);
	assert_false(is_ready(fd, PAUSES_MS));
	end_process(pid);
	assert_true(is_ready(fd, AT_MOST_MS));
	close(fd);
	await_num_threads(1);
}

static void test_thread_ends_with_its_reader(void **state)
{
	pid_t pid = start_process(sleep_until_killed);
	size_t before = count_threads();
	int fd = process_end_thread_start((uint32_t)pid);
	assert_int_equal(count_threads(), before + 1);
	close(fd);
	await_num_threads(before);
	end_process(pid);
}

static void test_no_such_process(void **state)
{
	pid_t pid = start_process(sleep_until_killed);
	end_process(pid);
	assert_int_equal(process_end_thread_start((uint32_t)pid), -ESRCH);
}

int process_end_thread_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_zombie_has_ended),
		cmocka_unit_test(test_process_goes_on_without_its_first_thread),
		cmocka_unit_test(test_thread_ends_with_its_reader),
		cmocka_unit_test(test_no_such_process),
	};
	return cmocka_run_group_tests_name("process_end_thread", tests, NULL, NULL);
}
