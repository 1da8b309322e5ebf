// SPDX-License-Identifier: Apache-2.0

#include "process/thread/running.h"

#include "process/process_table.h"
#include "process/system/process_search.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static void apply_all(struct process_table *table, const uint32_t *pids, size_t num_pids)
{
	_cleanup_(running_destroyp) struct running *running = NULL;
	assert_no_error(running_open(pids, num_pids, &running));
	for (bool more = true; more;) {
		struct record record;
		assert_no_error(running_next(running, &record, &more));
		if (more)
			assert_no_error(process_table_apply(table, &record));
	}
}

static const char *path_of(struct process_table *table, uint32_t pid, const void *address)
{
	struct process *process;
	assert_no_error(process_table_process(table, pid, &process));
	const struct mapping *mapping = process_find_mapping(process, (uint64_t)(uintptr_t)address);
	return mapping ? table->modules.items[mapping->module].path : "";
}

static void this_process_is_told(void **state)
{
	_cleanup_(process_table_deinit) struct process_table table = PROCESS_TABLE_INIT;
	prctl(PR_SET_NAME, "told of");
	uint32_t pid = (uint32_t)getpid();
	apply_all(&table, &pid, 1);
	assert_string_equal(process_table_thread_name(&table, pid, pid), "told of");
	assert_non_null(
		strstr(path_of(&table, pid, (const void *)this_process_is_told), "test_process"));
	assert_non_null(strstr(path_of(&table, pid, (const void *)abort), "libc"));
	assert_string_equal(path_of(&table, pid, &table), ""); // the stack is no code
}

static void *wait_named(void *lock)
{
	prctl(PR_SET_NAME, "second");
	pthread_barrier_wait(lock);
	pthread_barrier_wait(lock);
	return NULL;
}

static void threads_are_told(void **state)
{
	pthread_barrier_t barrier;
	pthread_t thread;
	pthread_barrier_init(&barrier, NULL, 2);
	assert_int_equal(pthread_create(&thread, NULL, wait_named, &barrier), 0);
	pthread_barrier_wait(&barrier);
	_cleanup_(process_table_deinit) struct process_table table = PROCESS_TABLE_INIT;
	uint32_t pid = (uint32_t)getpid();
	apply_all(&table, &pid, 1);
	pthread_barrier_wait(&barrier);
	pthread_join(thread, NULL);
	size_t num_found = 0;
	for (size_t i = 0; i < table.num_threads; i++)
		num_found += strcmp(table.threads[i].name, "second") == 0;
	assert_int_equal(num_found, 1);
}

static void all_processes_are_told(void **state)
{
	_cleanup_(process_table_deinit) struct process_table table = PROCESS_TABLE_INIT;
	apply_all(&table, NULL, 0);
	assert_true(table.num_processes > 1);
	assert_non_null(strstr(path_of(&table, (uint32_t)getpid(), (const void *)abort), "libc"));
}

static void one_that_is_gone_is_no_error(void **state)
{
	_cleanup_(process_table_deinit) struct process_table table = PROCESS_TABLE_INIT;
	uint32_t pid = INT32_MAX;
	apply_all(&table, &pid, 1);
	assert_int_equal(table.num_threads, 0);
}

static void processes_are_found_by_name(void **state)
{
	pid_t child = fork();
	if (child == 0) {
		execlp("sleep", "sleep", "30", NULL);
		_exit(1);
	}
	bool was_found = false;
	for (int tries = 0; !was_found && tries < 1000; tries++) {
		_cleanup_free_ uint32_t *pids = NULL;
		size_t num_pids;
		assert_no_error(process_search("sleep", &pids, &num_pids));
		for (size_t i = 0; i < num_pids; i++)
			was_found = was_found || pids[i] == (uint32_t)child;
		usleep(1000);
	}
	kill(child, SIGKILL);
	assert_true(was_found);
	uint32_t *none;
	size_t num_none;
	assert_no_error(process_search("no-such-program", &none, &num_none));
	assert_int_equal(num_none, 0);
	free(none);
}

int running_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(this_process_is_told),
		cmocka_unit_test(threads_are_told),
		cmocka_unit_test(all_processes_are_told),
		cmocka_unit_test(one_that_is_gone_is_no_error),
		cmocka_unit_test(processes_are_found_by_name),
	};
	return cmocka_run_group_tests_name("running", tests, NULL, NULL);
}
