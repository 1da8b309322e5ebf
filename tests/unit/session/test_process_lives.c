// SPDX-License-Identifier: Apache-2.0

#include "session/process_lives.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

struct fixture {
	struct process_table table;
	struct process_lives lives;
};

static void tear_down(struct fixture *fixture)
{
	process_table_deinit(&fixture->table);
}

static void apply(struct fixture *fixture, const struct record *record)
{
	assert_no_error(process_table_apply(&fixture->table, record));
	assert_no_error(process_lives_apply(&fixture->lives, &fixture->table, record));
}

static struct record record_of(enum record_kind kind, uint32_t pid, uint64_t time_ns)
{
	return (struct record){
		.kind = kind, .mode = RECORD_MODE_USER, .pid = pid, .tid = pid, .time_ns = time_ns};
}

static void fork_process(struct fixture *fixture, uint32_t pid, uint64_t time_ns)
{
	struct record record = record_of(RECORD_FORK, pid, time_ns);
	record.task = (struct record_task){.parent_pid = 1, .parent_tid = 1};
	apply(fixture, &record);
}

static void exit_process(struct fixture *fixture, uint32_t pid, uint64_t time_ns)
{
	const struct record record = record_of(RECORD_EXIT, pid, time_ns);
	apply(fixture, &record);
}

static void exec_program(struct fixture *fixture, uint32_t pid, const char *name)
{
	struct record record = record_of(RECORD_COMM, pid, 0);
	record.comm = (struct record_comm){.name = name, .is_exec = true};
	apply(fixture, &record);
}

static void map_program(struct fixture *fixture, uint32_t pid)
{
	struct record record = record_of(RECORD_MAP, pid, 0);
	record.map = (struct record_map){
		.start = 0x1000, .length = 0x1000, .path = "/bin/true", .is_executable = true};
	apply(fixture, &record);
}

static void sample(struct fixture *fixture, uint32_t pid)
{
	struct process *process;
	assert_no_error(process_table_process(&fixture->table, pid, &process));
	process_lives_sample(process);
}

static void processes_without_a_sample_are_counted(void **state)
{
	_cleanup_(tear_down) struct fixture fixture = {.table = PROCESS_TABLE_INIT};
	for (uint32_t pid = 10; pid < 110; pid++) {
		fork_process(&fixture, pid, 1000);
		if (pid < 13)
			sample(&fixture, pid);
		exit_process(&fixture, pid, 1400);
	}
	assert_int_equal(fixture.lives.num_ended, 100);
	assert_int_equal(fixture.lives.num_unsampled, 97);
	assert_int_equal(fixture.lives.unsampled_ns, 97 * 400);
	assert_int_equal(fixture.lives.num_barred, 0);
}

static void a_number_that_is_used_again_is_another_process(void **state)
{
	_cleanup_(tear_down) struct fixture fixture = {.table = PROCESS_TABLE_INIT};
	fork_process(&fixture, 10, 100);
	sample(&fixture, 10);
	exit_process(&fixture, 10, 200);
	fork_process(&fixture, 10, 300);
	exit_process(&fixture, 10, 350);
	assert_int_equal(fixture.lives.num_ended, 2);
	assert_int_equal(fixture.lives.num_unsampled, 1);
	assert_int_equal(fixture.lives.unsampled_ns, 50);
}

static void threads_and_older_processes_are_not_counted(void **state)
{
	_cleanup_(tear_down) struct fixture fixture = {.table = PROCESS_TABLE_INIT};
	struct record thread = record_of(RECORD_FORK, 10, 100);
	thread.tid = 11;
	thread.task = (struct record_task){.parent_pid = 10, .parent_tid = 10};
	apply(&fixture, &thread);
	thread.kind = RECORD_EXIT;
	apply(&fixture, &thread);
	exit_process(&fixture, 10, 200); // it began before the recording
	assert_int_equal(fixture.lives.num_ended, 0);
	assert_int_equal(fixture.lives.num_unsampled, 0);
}

static void programs_that_are_never_mapped_are_not_sampled(void **state)
{
	_cleanup_(tear_down) struct fixture fixture = {.table = PROCESS_TABLE_INIT};
	static const char *const names[] = {"su", "ping", "su", "a", "b", "c"};
	fork_process(&fixture, 9, 100);
	exec_program(&fixture, 9, "true");
	map_program(&fixture, 9);
	exit_process(&fixture, 9, 200);
	assert_int_equal(fixture.lives.num_barred, 0);
	for (uint32_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		exec_program(&fixture, 10 + i, names[i]);
		exit_process(&fixture, 10 + i, 200);
	}
	assert_int_equal(fixture.lives.num_barred, 6);
	assert_int_equal(fixture.lives.num_barred_names, 4);
	assert_string_equal(fixture.lives.barred[0], "su");
	assert_string_equal(fixture.lives.barred[1], "ping");
	assert_string_equal(fixture.lives.barred[3], "b");
}

int process_lives_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(processes_without_a_sample_are_counted),
		cmocka_unit_test(a_number_that_is_used_again_is_another_process),
		cmocka_unit_test(threads_and_older_processes_are_not_counted),
		cmocka_unit_test(programs_that_are_never_mapped_are_not_sampled),
	};
	return cmocka_run_group_tests_name("process_lives", tests, NULL, NULL);
}
