// SPDX-License-Identifier: Apache-2.0

#include "session/recorder/process_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_error.h"

static void apply(struct process_table *table, struct record record)
{
	assert_no_error(process_state_apply(table, &record));
}

static struct record map(uint32_t pid, uint64_t start, const char *path)
{
	return (struct record){
		.kind = RECORD_MAP,
		.mode = RECORD_MODE_USER,
		.pid = pid,
		.tid = pid,
		.map = {.start = start,
			.length = 0x1000,
			.file_offset = 0x2000,
			.path = path,
			.inode = 7,
			.is_executable = true},
	};
}

static struct record comm(uint32_t pid, uint32_t tid, const char *name, bool is_given)
{
	return (struct record){
		.kind = RECORD_COMM,
		.pid = pid,
		.tid = tid,
		.comm = {.name = name, .is_given = is_given},
	};
}

/** What a table that got the state knows is what the first one knows. */
static void what_was_known_is_known_again(void **state)
{
	struct process_table before = PROCESS_TABLE_INIT, after = PROCESS_TABLE_INIT;
	struct record kernel =
		map(UINT32_MAX, UINT64_C(0xffffffff81000000), "[kernel.kallsyms]_text");
	kernel.mode = RECORD_MODE_KERNEL;
	apply(&before, kernel);
	apply(&before, comm(10, 10, "server", false));
	apply(&before, map(10, 0x400000, "/bin/server"));
	apply(&before, map(10, 0x500000, "/lib/libc.so"));
	apply(&before, (struct record){.kind = RECORD_FORK,
				       .pid = 11,
				       .tid = 11,
				       .task = {.parent_pid = 10, .parent_tid = 10}});
	apply(&before, (struct record){.kind = RECORD_FORK,
				       .pid = 10,
				       .tid = 12,
				       .task = {.parent_pid = 10, .parent_tid = 10}});
	apply(&before, comm(10, 12, "worker 1", true));

	struct process_state all = {.table = &before, .time_ns = 99};
	struct record record;
	size_t num = 0;
	for (; process_state_next(&all, &record); num++) {
		assert_int_equal(record.time_ns, 99);
		assert_no_error(process_table_apply(&after, &record));
	}
	// One of the kernel, two maps of two processes each, three names, one that was given.
	assert_int_equal(num, 9);
	struct process *child;
	assert_no_error(process_table_process(&after, 11, &child));
	const struct mapping *mapping = process_find_mapping(child, 0x500010);
	assert_non_null(mapping);
	assert_int_equal(mapping->file_offset, 0x2000);
	assert_string_equal(after.modules.items[mapping->module].path, "/lib/libc.so");
	assert_int_equal(after.modules.items[mapping->module].inode, 7);
	assert_non_null(process_table_find_kernel(&after, UINT64_C(0xffffffff81000010)));
	assert_string_equal(process_table_thread_name(&after, 11, 11), "server");
	assert_string_equal(process_table_thread_name(&after, 10, 12), "worker 1");
	process_table_deinit(&before);
	process_table_deinit(&after);
}

static void who_has_ended_is_left_out(void **state)
{
	struct process_table table = PROCESS_TABLE_INIT;
	apply(&table, comm(10, 10, "gone", false));
	apply(&table, map(10, 0x400000, "/bin/gone"));
	apply(&table, comm(20, 20, "here", false));
	apply(&table, comm(20, 21, "thread", false));
	apply(&table, (struct record){.kind = RECORD_EXIT, .pid = 20, .tid = 21});
	apply(&table, (struct record){.kind = RECORD_EXIT, .pid = 10, .tid = 10});
	struct process_state all = {.table = &table};
	struct record record;
	assert_true(process_state_next(&all, &record));
	assert_string_equal(record.comm.name, "here");
	assert_false(process_state_next(&all, &record));
	process_table_deinit(&table);
}

int process_state_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_known_is_known_again),
		cmocka_unit_test(who_has_ended_is_left_out),
	};
	return cmocka_run_group_tests_name("process_state", tests, NULL, NULL);
}
