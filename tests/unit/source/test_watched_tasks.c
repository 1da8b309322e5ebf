// SPDX-License-Identifier: Apache-2.0

#include "source/timer/watched_tasks.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

enum { LONG_NS = 1000000000 };

/** How many news of a kind there are for this process; all are dropped. */
static size_t take_events(struct watched_tasks *tasks, enum task_events_kind kind, pid_t pid)
{
	size_t num = 0;
	for (const struct task_events *events; (events = watched_tasks_events(tasks));
	     watched_tasks_drop_events(tasks))
		num += events->kind == kind && events->pid == (uint32_t)pid;
	return num;
}

static pid_t start(char *const *words)
{
	pid_t pid = fork();
	if (pid == 0) {
		if (words)
			execv(words[0], words);
		for (;;)
			pause();
	}
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void children_are_found_and_end(void **state)
{
	struct watched_tasks tasks = WATCHED_TASKS_INIT;
	assert_no_error(watched_tasks_add(&tasks, (uint32_t)getpid()));
	assert_no_error(watched_tasks_scan(&tasks, 1));
	assert_int_equal(take_events(&tasks, TASK_EVENTS_PROGRAM, getpid()), 1);
	pid_t child = start(NULL);
	assert_no_error(watched_tasks_scan(&tasks, 2));
	const struct task_events *events = watched_tasks_events(&tasks);
	assert_int_equal(events->kind, TASK_EVENTS_FORK);
	assert_int_equal(events->pid, child);
	assert_int_equal(events->tid, getpid());
	assert_int_equal(take_events(&tasks, TASK_EVENTS_PROGRAM, child), 0);
	assert_int_equal(tasks.num_threads, 2);
	kill(child, SIGKILL);
	siginfo_t info;
	waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT);
	assert_no_error(watched_tasks_scan(&tasks, 3));
	assert_int_equal(take_events(&tasks, TASK_EVENTS_END, child), 1);
	end(child);
	for (int i = 0; i < 2; i++) {
		assert_no_error(watched_tasks_scan(&tasks, 4));
		assert_int_equal(take_events(&tasks, TASK_EVENTS_END, child), 0);
	}
	assert_int_equal(tasks.num_processes, 1);
	assert_int_equal(tasks.num_threads, 1);
	watched_tasks_deinit(&tasks);
}

static void another_program_is_events(void **state)
{
	struct watched_tasks tasks = WATCHED_TASKS_INIT;
	int line[2];
	assert_int_equal(pipe(line), 0);
	pid_t child = fork();
	if (child == 0) {
		char go;
		if (read(line[0], &go, 1) == 1)
			execl("/bin/sleep", "sleep", "100", (char *)NULL);
		_exit(1);
	}
	assert_no_error(watched_tasks_add(&tasks, (uint32_t)child));
	assert_no_error(watched_tasks_scan(&tasks, 1));
	assert_int_equal(take_events(&tasks, TASK_EVENTS_PROGRAM, child), 1);
	assert_int_equal(write(line[1], "x", 1), 1);
	size_t num = 0;
	for (int i = 0; i < 1000 && !num; i++) {
		usleep(10000);
		assert_no_error(watched_tasks_scan(&tasks, 2));
		num = take_events(&tasks, TASK_EVENTS_PROGRAM, child);
	}
	assert_int_equal(num, 1);
	end(child);
	watched_tasks_deinit(&tasks);
}

static void maps_are_asked_for_until_that_is_enough(void **state)
{
	struct watched_tasks tasks = WATCHED_TASKS_INIT;
	pid_t child = start(NULL);
	assert_no_error(watched_tasks_add(&tasks, (uint32_t)child));
	uint64_t now_ns = 1;
	assert_no_error(watched_tasks_scan(&tasks, now_ns));
	assert_int_equal(take_events(&tasks, TASK_EVENTS_MAPS, child), 0);
	for (int i = 0; i < 3; i++) {
		assert_no_error(watched_tasks_scan(&tasks, now_ns += 5ULL * LONG_NS));
		assert_int_equal(take_events(&tasks, TASK_EVENTS_MAPS, child), 1);
		assert_no_error(watched_tasks_scan(&tasks, now_ns));
		assert_int_equal(take_events(&tasks, TASK_EVENTS_MAPS, child), 0);
	}
	watched_tasks_complete(&tasks, (uint32_t)child);
	assert_no_error(watched_tasks_scan(&tasks, now_ns + 5ULL * LONG_NS));
	assert_int_equal(take_events(&tasks, TASK_EVENTS_MAPS, child), 0);
	end(child);
	watched_tasks_deinit(&tasks);
}

// What is known of the parent's program is known of its copy.
static void a_copy_is_as_complete_as_its_parent(void **state)
{
	for (int is_complete = 0; is_complete < 2; is_complete++) {
		struct watched_tasks tasks = WATCHED_TASKS_INIT;
		assert_no_error(watched_tasks_add(&tasks, (uint32_t)getpid()));
		assert_no_error(watched_tasks_scan(&tasks, 1));
		take_events(&tasks, TASK_EVENTS_PROGRAM, 0);
		if (is_complete)
			watched_tasks_complete(&tasks, (uint32_t)getpid());
		pid_t child = start(NULL);
		assert_no_error(watched_tasks_scan(&tasks, 2));
		assert_int_equal(take_events(&tasks, TASK_EVENTS_FORK, child), 1);
		assert_no_error(watched_tasks_scan(&tasks, LONG_NS));
		assert_int_equal(take_events(&tasks, TASK_EVENTS_MAPS, child), !is_complete);
		end(child);
		watched_tasks_deinit(&tasks);
	}
}

/** Of a child that becomes another program; the event stays. */
static void scan_until_exec(struct watched_tasks *tasks, pid_t child)
{
	bool is_there = false;
	for (int i = 0; i < 1000 && !is_there; i++) {
		assert_no_error(watched_tasks_scan(tasks, 2));
		for (size_t k = tasks->num_told; k < tasks->num_events; k++)
			is_there |= tasks->events[k].kind == TASK_EVENTS_PROGRAM &&
				    tasks->events[k].pid == (uint32_t)child;
		usleep(1000);
	}
	assert_true(is_there);
}

// It was found in what ran before: of the new program nothing is known.
static void exec_is_not_completed_by_what_was_before(void **state)
{
	struct watched_tasks tasks = WATCHED_TASKS_INIT;
	char sleep[] = "/bin/sleep", time[] = "5";
	char *const words[] = {sleep, time, NULL};
	assert_no_error(watched_tasks_add(&tasks, (uint32_t)getpid()));
	assert_no_error(watched_tasks_scan(&tasks, 1));
	pid_t child = start(words);
	scan_until_exec(&tasks, child);
	watched_tasks_complete(&tasks, (uint32_t)child);
	size_t num_taken = take_events(&tasks, TASK_EVENTS_MAPS, child);
	for (unsigned i = 1; i < 100 && !num_taken; i++) {
		assert_no_error(watched_tasks_scan(&tasks, i * (uint64_t)LONG_NS));
		num_taken = take_events(&tasks, TASK_EVENTS_MAPS, child);
	}
	assert_true(num_taken);
	watched_tasks_complete(&tasks, (uint32_t)child);
	assert_no_error(watched_tasks_scan(&tasks, 200ULL * LONG_NS));
	assert_int_equal(take_events(&tasks, TASK_EVENTS_MAPS, child), 0);
	end(child);
	watched_tasks_deinit(&tasks);
}

static void *wait_for_word(void *line)
{
	char go;
	return read(*(int *)line, &go, 1) == 1 ? line : NULL;
}

static void threads_come_and_go(void **state)
{
	struct watched_tasks tasks = WATCHED_TASKS_INIT;
	assert_no_error(watched_tasks_add(&tasks, (uint32_t)getpid()));
	assert_no_error(watched_tasks_scan(&tasks, 1));
	take_events(&tasks, TASK_EVENTS_MAPS, 0);
	int line[2];
	pthread_t thread;
	assert_int_equal(pipe(line), 0);
	assert_int_equal(pthread_create(&thread, NULL, wait_for_word, &line[0]), 0);
	assert_no_error(watched_tasks_scan(&tasks, 2));
	assert_int_equal(take_events(&tasks, TASK_EVENTS_THREAD, getpid()), 1);
	assert_int_equal(write(line[1], "x", 1), 1);
	pthread_join(thread, NULL);
	size_t num = 0;
	for (int i = 0; i < 1000 && !num; i++) {
		usleep(1000); // the kernel may still be at its end
		assert_no_error(watched_tasks_scan(&tasks, 3));
		num = take_events(&tasks, TASK_EVENTS_THREAD_END, getpid());
	}
	assert_int_equal(num, 1);
	watched_tasks_deinit(&tasks);
}

static void one_thread_is_left_out_or_all_others(void **state)
{
	int line[2];
	pthread_t thread;
	assert_int_equal(pipe(line), 0);
	assert_int_equal(pthread_create(&thread, NULL, wait_for_word, &line[0]), 0);
	pid_t child = start(NULL);
	for (int i = 0; i < 2; i++) {
		struct watched_tasks tasks = {
			.only_thread = i ? (uint32_t)getpid() : 0,
			.left_out_thread = i ? 0 : (uint32_t)getpid(),
		};
		assert_no_error(watched_tasks_add(&tasks, (uint32_t)getpid()));
		assert_no_error(watched_tasks_scan(&tasks, 1));
		// What one thread alone has started is not watched.
		assert_int_equal(tasks.num_processes, i ? 1 : 2);
		assert_int_equal(tasks.num_threads, i ? 1 : 2);
		for (size_t j = 0; j < tasks.num_threads; j++)
			if (tasks.threads[j].pid == (uint32_t)getpid())
				assert_int_equal(tasks.threads[j].tid == (uint32_t)getpid(), i);
		watched_tasks_deinit(&tasks);
	}
	assert_int_equal(write(line[1], "x", 1), 1);
	pthread_join(thread, NULL);
	close(line[0]);
	close(line[1]);
	end(child);
}

static void what_is_not_there_ends_at_once(void **state)
{
	struct watched_tasks tasks = WATCHED_TASKS_INIT;
	assert_no_error(watched_tasks_add(&tasks, 0x7ffffff0));
	assert_no_error(watched_tasks_scan(&tasks, 1));
	assert_int_equal(take_events(&tasks, TASK_EVENTS_END, 0x7ffffff0), 1);
	assert_no_error(watched_tasks_scan(&tasks, 2));
	assert_int_equal(tasks.num_processes, 0);
	watched_tasks_deinit(&tasks);
}

int watched_tasks_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(children_are_found_and_end),
		cmocka_unit_test(another_program_is_events),
		cmocka_unit_test(maps_are_asked_for_until_that_is_enough),
		cmocka_unit_test(a_copy_is_as_complete_as_its_parent),
		cmocka_unit_test(exec_is_not_completed_by_what_was_before),
		cmocka_unit_test(threads_come_and_go),
		cmocka_unit_test(one_thread_is_left_out_or_all_others),
		cmocka_unit_test(what_is_not_there_ends_at_once),
	};
	return cmocka_run_group_tests_name("watched_tasks", tests, NULL, NULL);
}
