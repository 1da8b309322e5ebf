// SPDX-License-Identifier: Apache-2.0

#include "process/process_table.h"

#include "base/container/array.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static void map(struct process_table *table, uint32_t pid, uint64_t start, uint64_t end,
		uint64_t file_offset, const char *path)
{
	const struct record record = {
		.kind = RECORD_MAP,
		.mode = RECORD_MODE_USER,
		.pid = pid,
		.tid = pid,
		.map = {.start = start,
			.length = end - start,
			.file_offset = file_offset,
			.path = path,
			.is_executable = true},
	};
	assert_no_error(process_table_apply(table, &record));
}

static void comm(struct process_table *table, uint32_t pid, uint32_t tid, const char *name,
		 bool is_exec)
{
	const struct record record = {
		.kind = RECORD_COMM,
		.pid = pid,
		.tid = tid,
		.comm = {.name = name, .is_exec = is_exec},
	};
	assert_no_error(process_table_apply(table, &record));
}

static void give(struct process_table *table, uint32_t pid, uint32_t tid, const char *name)
{
	const struct record record = {
		.kind = RECORD_COMM,
		.pid = pid,
		.tid = tid,
		.comm = {.name = name, .is_given = true},
	};
	assert_no_error(process_table_apply(table, &record));
}

static void fork_from(struct process_table *table, uint32_t parent_pid, uint32_t parent_tid,
		      uint32_t pid, uint32_t tid)
{
	const struct record record = {
		.kind = RECORD_FORK,
		.pid = pid,
		.tid = tid,
		.task = {.parent_pid = parent_pid, .parent_tid = parent_tid},
	};
	assert_no_error(process_table_apply(table, &record));
}

static struct process *process_of(struct process_table *table, uint32_t pid)
{
	struct process *process;
	assert_no_error(process_table_process(table, pid, &process));
	return process;
}

/** "path+offset" of an address, or "-". */
static void assert_place(struct process_table *table, uint32_t pid, uint64_t address,
			 const char *expected)
{
	char place[128] = "-";
	const struct mapping *mapping = process_find_mapping(process_of(table, pid), address);
	if (mapping)
		snprintf(place, sizeof(place), "%s+%" PRIx64,
			 table->modules.items[mapping->module].path,
			 address - mapping->start + mapping->file_offset);
	assert_string_equal(place, expected);
}

static void addresses_are_found(void **state)
{
	_cleanup_(process_table_deinit) struct process_table table = PROCESS_TABLE_INIT;
	map(&table, 7, 0x2000, 0x3000, 0x500, "/b");
	map(&table, 7, 0x1000, 0x2000, 0, "/a");
	assert_place(&table, 7, 0xfff, "-");
	assert_place(&table, 7, 0x1000, "/a+0");
	assert_place(&table, 7, 0x1fff, "/a+fff");
	assert_place(&table, 7, 0x2001, "/b+501");
	assert_place(&table, 7, 0x3000, "-");
	assert_place(&table, 8, 0x1000, "-");
}

/** A library that is closed and another one opened in its place, and all ways to overlap. */
static void a_later_mapping_wins(void **state)
{
	_cleanup_(process_table_deinit) struct process_table table = PROCESS_TABLE_INIT;
	map(&table, 7, 0x1000, 0x5000, 0, "/old");
	map(&table, 7, 0x2000, 0x3000, 0x700, "/new");
	assert_place(&table, 7, 0x1fff, "/old+fff");
	assert_place(&table, 7, 0x2004, "/new+704");
	assert_place(&table, 7, 0x3000, "/old+2000");
	map(&table, 7, 0x2800, 0x6000, 0, "/third");
	assert_place(&table, 7, 0x27ff, "/new+eff");
	assert_place(&table, 7, 0x2800, "/third+0");
	assert_place(&table, 7, 0x5fff, "/third+37ff");
	map(&table, 7, 0, 0x10000, 0, "/all");
	size_t num;
	process_mappings(process_of(&table, 7), &num);
	assert_int_equal(num, 1);
}

/** Against an array that knows the owner of every byte. */
static void random_mappings_are_as_in_a_plain_array(void **state)
{
	enum { BYTES = 256, ROUNDS = 2000 };
	static const char *const paths[] = {"/a", "/b", "/c"};
	_cleanup_(process_table_deinit) struct process_table table = PROCESS_TABLE_INIT;
	int owner[BYTES];
	memset(owner, -1, sizeof(owner));
	uint32_t seed = 1;
	for (int round = 0; round < ROUNDS; round++) {
		seed = seed * 1664525 + 1013904223;
		unsigned start = (seed >> 8) % BYTES;
		unsigned length = 1 + (seed >> 16) % (BYTES - start);
		int path = (int)((seed >> 28) % ARRAY_SIZE(paths));
		map(&table, 7, start, start + length, start, paths[path]);
		for (unsigned i = start; i < start + length; i++)
			owner[i] = path;
		for (unsigned i = 0; i < BYTES; i++) {
			const struct mapping *mapping =
				process_find_mapping(process_of(&table, 7), i);
			assert_int_equal(mapping != NULL, owner[i] >= 0);
			if (!mapping)
				continue;
			assert_string_equal(table.modules.items[mapping->module].path,
					    paths[owner[i]]);
			assert_int_equal(i - mapping->start + mapping->file_offset, i);
		}
	}
}

static void children_begin_with_what_their_parent_has(void **state)
{
	_cleanup_(process_table_deinit) struct process_table table = PROCESS_TABLE_INIT;
	map(&table, 7, 0x1000, 0x2000, 0, "/a");
	comm(&table, 7, 7, "shell", false);
	fork_from(&table, 7, 7, 8, 8);
	assert_place(&table, 8, 0x1800, "/a+800");
	assert_string_equal(process_table_thread_name(&table, 8, 8), "shell");
	map(&table, 8, 0x1000, 0x2000, 0, "/b");
	assert_place(&table, 7, 0x1800, "/a+800");
	assert_place(&table, 8, 0x1800, "/b+800");
}

static void another_program_has_none_of_it(void **state)
{
	_cleanup_(process_table_deinit) struct process_table table = PROCESS_TABLE_INIT;
	map(&table, 7, 0x1000, 0x2000, 0, "/a");
	uint32_t before = process_of(&table, 7)->generation;
	comm(&table, 7, 7, "next", true);
	assert_place(&table, 7, 0x1800, "-");
	assert_int_not_equal(process_of(&table, 7)->generation, before);
	assert_string_equal(process_table_thread_name(&table, 7, 7), "next");
}

static void threads_share_maps_and_have_names(void **state)
{
	_cleanup_(process_table_deinit) struct process_table table = PROCESS_TABLE_INIT;
	comm(&table, 7, 7, "server", false);
	map(&table, 7, 0x1000, 0x2000, 0, "/a");
	fork_from(&table, 7, 7, 7, 9);
	assert_int_equal(table.num_processes, 1);
	assert_string_equal(process_table_thread_name(&table, 7, 9), "server");
	static const char longest[] =
		"a-name-that-is-longer-than-those-of-the-kernel-of-linux-are-allo";
	comm(&table, 7, 9, longest, false);
	assert_int_equal(strlen(longest), PROCESS_NAME_SIZE);
	assert_int_equal(strlen(process_table_thread_name(&table, 7, 9)), PROCESS_NAME_SIZE - 1);
	assert_memory_equal(process_table_thread_name(&table, 7, 9), longest,
			    PROCESS_NAME_SIZE - 1);
	assert_string_equal(process_table_thread_name(&table, 7, 10), "server");
	assert_string_equal(process_table_thread_name(&table, 20, 20), "");
}

/** A name that an interpreter knows stands in for one that a thread has only inherited. */
static void names_are_given_to_who_has_none(void **state)
{
	_cleanup_(process_table_deinit) struct process_table table = PROCESS_TABLE_INIT;
	struct process_thread *thread;
	comm(&table, 7, 7, "python3", false);
	fork_from(&table, 7, 7, 7, 8);
	assert_no_error(process_table_thread(&table, 7, 8, &thread));
	thread->label = 3;
	give(&table, 7, 8, "loader of everything");
	assert_string_equal(process_table_thread_name(&table, 7, 8), "loader of everything");
	assert_false(process_table_takes_name(&table, 7, 8, "loader of everything"));
	assert_true(process_table_takes_name(&table, 7, 8, "saver"));
	assert_int_equal(thread->label, 3);
	// The system's is not news.
	comm(&table, 7, 8, "python3", false);
	assert_string_equal(process_table_thread_name(&table, 7, 8), "loader of everything");
	// A thread that this one makes inherits nothing of it.
	fork_from(&table, 7, 8, 7, 9);
	assert_string_equal(process_table_thread_name(&table, 7, 9), "python3");
	// A process has its own name.
	give(&table, 7, 7, "main");
	assert_string_equal(process_table_thread_name(&table, 7, 7), "python3");
	// The thread names itself: that is another label's.
	comm(&table, 7, 8, "own", false);
	assert_no_error(process_table_thread(&table, 7, 8, &thread));
	assert_int_equal(thread->label, UINT32_MAX);
	give(&table, 7, 8, "loader");
	assert_string_equal(process_table_thread_name(&table, 7, 8), "own");
	// The number is another thread's now.
	give(&table, 7, 9, "second");
	fork_from(&table, 7, 7, 7, 9);
	assert_string_equal(process_table_thread_name(&table, 7, 9), "python3");
	give(&table, 7, 9, "third");
	assert_no_error(process_table_thread(&table, 20, 9, &thread));
	assert_string_equal(process_table_thread_name(&table, 20, 9), "");
}

static void a_name_that_the_system_has_cut_is_whole(void **state)
{
	_cleanup_(process_table_deinit) struct process_table table = PROCESS_TABLE_INIT;
	comm(&table, 7, 7, "python3", false);
	comm(&table, 7, 8, "Thread-1 (downl", false);
	give(&table, 7, 8, "Thread-2 (download)");
	assert_string_equal(process_table_thread_name(&table, 7, 8), "Thread-1 (downl");
	give(&table, 7, 8, "Thread-1 (download)");
	assert_string_equal(process_table_thread_name(&table, 7, 8), "Thread-1 (download)");
}

/** A label is for one name of one thread. */
static void labels_end_with_the_name(void **state)
{
	_cleanup_(process_table_deinit) struct process_table table = PROCESS_TABLE_INIT;
	struct process_thread *thread;
	assert_no_error(process_table_thread(&table, 7, 7, &thread));
	assert_int_equal(thread->label, UINT32_MAX);
	thread->label = 3;
	assert_no_error(process_table_thread(&table, 7, 7, &thread));
	assert_int_equal(thread->label, 3);
	comm(&table, 7, 7, "new", false);
	assert_no_error(process_table_thread(&table, 7, 7, &thread));
	assert_int_equal(thread->label, UINT32_MAX);
	thread->label = 4;
	// The number is used again by another process.
	assert_no_error(process_table_thread(&table, 8, 7, &thread));
	assert_int_equal(thread->label, UINT32_MAX);
	assert_string_equal(thread->name, "");
}

static void nonsense_is_left_alone(void **state)
{
	_cleanup_(process_table_deinit) struct process_table table = PROCESS_TABLE_INIT;
	map(&table, 7, 0x1000, 0x1000, 0, "/empty");
	map(&table, 7, UINT64_MAX - 10, 5, 0, "/wraps"); // start + length overflows
	assert_int_equal(table.num_processes, 0);
	struct record data = {.kind = RECORD_MAP, .pid = 7};
	data.map.length = 1;
	data.map.path = "//anon";
	assert_no_error(process_table_apply(&table, &data));
	assert_int_equal(table.num_processes, 0);
	// Interpreters run what is in files.
	data.map.path = "/framework.jar";
	assert_no_error(process_table_apply(&table, &data));
	assert_int_equal(table.num_processes, 1);
}

static void modules_are_told_apart(void **state)
{
	_cleanup_(process_table_deinit) struct process_table table = PROCESS_TABLE_INIT;
	map(&table, 7, 0x1000, 0x2000, 0, "/lib");
	map(&table, 8, 0x5000, 0x6000, 0, "/lib");
	map(&table, 7, 0x2000, 0x3000, 0, "//anon");
	map(&table, 8, 0x2000, 0x3000, 0, "//anon");
	map(&table, 8, 0x7000, 0x8000, 0, "[vdso]");
	const struct module_table *modules = &table.modules;
	assert_int_equal(modules->num_items, 4);
	assert_int_equal(modules->items[0].kind, MODULE_FILE);
	assert_int_equal(modules->items[1].kind, MODULE_MEMORY);
	assert_int_equal(modules->items[1].pid, 7);
	assert_int_equal(modules->items[2].pid, 8);
	assert_int_equal(modules->items[3].kind, MODULE_VDSO);
	const struct record kernel = {
		.kind = RECORD_MAP,
		.mode = RECORD_MODE_KERNEL,
		.pid = UINT32_MAX,
		.map = {.start = 0xffffffff81000000,
			.length = 0x1000,
			.path = "[kernel.kallsyms]_text",
			.is_executable = true},
	};
	assert_no_error(process_table_apply(&table, &kernel));
	assert_int_equal(modules->items[4].kind, MODULE_KERNEL);
}

static void map_in_kernel(struct process_table *table, uint64_t start, const char *path)
{
	const struct record record = {
		.kind = RECORD_MAP,
		.mode = RECORD_MODE_KERNEL,
		.pid = UINT32_MAX,
		.map = {.start = start,
			.length = 0x1000,
			.file_offset = 0x400,
			.path = path,
			.is_executable = true},
	};
	assert_no_error(process_table_apply(table, &record));
}

static void images_of_the_windows_kernel_are_files_in_it(void **state)
{
	_cleanup_(process_table_deinit) struct process_table table = PROCESS_TABLE_INIT;
	const uint64_t kernel = 0xfffff80102000000, driver = 0xfffff80103000000;
	assert_null(process_table_find_kernel(&table, kernel));
	map_in_kernel(&table, kernel, "C:\\Windows\\system32\\ntoskrnl.exe");
	map_in_kernel(&table, driver, "\\SystemRoot\\System32\\drivers\\dump_disk.sys");
	map(&table, 7, kernel, kernel + 0x1000, 0, "C:\\Windows\\system32\\ntoskrnl.exe");
	const struct module *modules = table.modules.items;
	assert_int_equal(table.modules.num_items, 3);
	assert_int_equal(modules[0].kind, MODULE_KERNEL_IMAGE);
	assert_string_equal(modules[0].path, "C:\\Windows\\system32\\ntoskrnl.exe");
	assert_int_equal(modules[1].kind, MODULE_KERNEL_IMAGE);
	assert_int_equal(modules[2].kind, MODULE_FILE);
	const struct mapping *found = process_table_find_kernel(&table, driver + 0xfff);
	assert_non_null(found);
	assert_int_equal(found->module, 1);
	assert_int_equal(found->file_offset, 0x400);
	assert_null(process_table_find_kernel(&table, driver + 0x1000));
}

/** Sections never begin at offset 0, where the headers are. */
static void images_are_mapped_as_a_whole_or_by_section(void **state)
{
	_cleanup_(process_table_deinit) struct process_table table = PROCESS_TABLE_INIT;
	static const struct {
		const char *path;
		uint64_t offset;
		bool is_image;
	} rows[] = {
		{"C:\\Tools\\a.dll", 0, true},
		{"C:\\Tools\\a.dll", 0x400, false},
		{"\\Device\\HarddiskVolume2\\a.dll", 0, true},
		{"\\SystemRoot\\a.sys", 0, true},
		{"/usr/lib/a\\b.so", 0, false},
		{"/usr/lib/c.so", 0, false},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		map(&table, 7, 0x10000 * i, 0x10000 * i + 0x1000, rows[i].offset, rows[i].path);
		assert_int_equal(table.modules.num_items, i + 1);
		assert_int_equal(table.modules.items[i].is_image, rows[i].is_image);
	}
}

/** Stacks of all processes go on in the kernel. */
static void a_new_image_in_the_kernel_is_events_for_all(void **state)
{
	_cleanup_(process_table_deinit) struct process_table table = PROCESS_TABLE_INIT;
	map(&table, 7, 0x1000, 0x2000, 0, "/a");
	map(&table, 8, 0x1000, 0x2000, 0, "/a");
	uint32_t before[] = {process_of(&table, 7)->generation, process_of(&table, 8)->generation};
	map_in_kernel(&table, 0xfffff80102000000, "C:\\Windows\\late.sys");
	assert_int_not_equal(process_of(&table, 7)->generation, before[0]);
	assert_int_not_equal(process_of(&table, 8)->generation, before[1]);
	assert_int_not_equal(process_of(&table, 7)->generation, process_of(&table, 8)->generation);
}

static void end(struct process_table *table, uint32_t pid, uint32_t tid)
{
	const struct record record = {.kind = RECORD_EXIT, .pid = pid, .tid = tid};
	assert_no_error(process_table_apply(table, &record));
}

enum { NUM_MAPS = 30000, MAP_SIZE = 0x1000 };

static void map_many(struct process_table *table, uint32_t pid)
{
	for (uint64_t i = 0; i < NUM_MAPS; i++)
		map(table, pid, 2 * i * MAP_SIZE, (2 * i + 1) * MAP_SIZE, 0, "/many");
}

static void children_share_until_one_changes(void **state)
{
	enum { NUM_CHILDREN = 5000 };
	_cleanup_(process_table_deinit) struct process_table table = PROCESS_TABLE_INIT;
	map_many(&table, 7);
	size_t used = table.room.num_used;
	assert_true(used >= NUM_MAPS && used < 3 * NUM_MAPS);
	for (uint32_t i = 0; i < NUM_CHILDREN; i++)
		fork_from(&table, 7 + i, 7 + i, 8 + i, 8 + i);
	assert_int_equal(table.room.num_used, used);
	map(&table, 7, 0, MAP_SIZE, 0, "/parent");
	map(&table, 9, 0, MAP_SIZE, 0, "/child");
	assert_true(table.room.num_used < 4 * used);
	assert_place(&table, 7, 0, "/parent+0");
	assert_place(&table, 8, 0, "/many+0");
	assert_place(&table, 9, 0, "/child+0");
	assert_place(&table, 10, 0, "/many+0");
	assert_place(&table, 7 + NUM_CHILDREN, 2 * MAP_SIZE, "/many+0");
}

/** Samples of those that ended last may still come. */
static void the_dead_are_freed_when_they_are_many(void **state)
{
	enum { NUM_CHILDREN = 1000 };
	_cleanup_(process_table_deinit) struct process_table table = PROCESS_TABLE_INIT;
	map_many(&table, 7);
	for (uint32_t i = 0; i < NUM_CHILDREN; i++) {
		uint32_t pid = 100 + i;
		fork_from(&table, 7, 7, pid, pid);
		map(&table, pid, 0, MAP_SIZE, 0, "/child");
		end(&table, pid, pid);
		assert_place(&table, pid, 0, "/child+0");
		assert_place(&table, pid, 2 * MAP_SIZE, "/many+0");
	}
	assert_int_equal(table.room.num_cut, 0);
	assert_true(table.room.num_used < (PROCESS_TABLE_KEPT_PROCESSES + 4) * 2 * NUM_MAPS);
	assert_place(&table, 100, 0, "-");
	assert_place(&table, 100 + NUM_CHILDREN - PROCESS_TABLE_KEPT_PROCESSES, 0, "/child+0");
}

static void who_lives_again_is_not_freed(void **state)
{
	_cleanup_(process_table_deinit) struct process_table table = PROCESS_TABLE_INIT;
	map_many(&table, 7);
	end(&table, 50, 50); // nobody has spoken of it
	fork_from(&table, 7, 7, 50, 50);
	end(&table, 50, 51); // a thread
	end(&table, 50, 50);
	fork_from(&table, 7, 7, 50, 50);
	for (uint32_t i = 0; i < 300; i++) {
		uint32_t pid = 100 + i;
		fork_from(&table, 7, 7, pid, pid);
		map(&table, pid, 0, MAP_SIZE, 0, "/child");
		end(&table, pid, pid);
	}
	assert_place(&table, 100, 0, "-");
	assert_place(&table, 50, 0, "/many+0");
}

static void too_many_mappings_are_left_out(void **state)
{
	_cleanup_(process_table_deinit) struct process_table table = PROCESS_TABLE_INIT;
	map_many(&table, 7);
	for (uint32_t pid = 100; pid < 600; pid++) {
		fork_from(&table, 7, 7, pid, pid);
		map(&table, pid, 0, MAP_SIZE, 0, "/child");
	}
	assert_true(table.room.num_used <= MAPPING_ROOM_MAX);
	assert_true(table.room.num_cut > 0);
	assert_place(&table, 100, 0, "/child+0");
	assert_place(&table, 599, 0, "/many+0"); // what it did not change is right
	assert_place(&table, 599, 2 * MAP_SIZE, "/many+0");
}

static void end_at(struct process_table *table, uint32_t pid, uint32_t tid, uint64_t time_ns)
{
	const struct record record = {
		.kind = RECORD_EXIT, .pid = pid, .tid = tid, .time_ns = time_ns};
	assert_no_error(process_table_apply(table, &record));
}

static size_t forget_before(struct process_table *table, uint64_t time_ns)
{
	uint32_t *pids;
	size_t num_pids;
	assert_no_error(process_table_forget(table, time_ns, &pids, &num_pids));
	for (size_t i = 0; i < num_pids; i++)
		assert_true(pids[i] >= 1000);
	free(pids);
	return num_pids;
}

/** Children of process 7, one after the other, each with a thread; their ends are their numbers. */
static void live_and_end(struct process_table *table, uint32_t first, uint32_t num)
{
	for (uint32_t pid = first; pid < first + num; pid++) {
		fork_from(table, 7, 7, pid, pid);
		map(table, pid, 0x9000, 0xa000, 0, "/child");
		fork_from(table, pid, pid, pid + 1000000, pid + 1000000);
		end_at(table, pid, pid, pid);
		end_at(table, pid + 1000000, pid + 1000000, pid);
	}
}

static void who_ended_long_ago_is_forgotten(void **state)
{
	enum { NUM = 3000, FIRST = 1000, ROUNDS = 20 };
	_cleanup_(process_table_deinit) struct process_table table = PROCESS_TABLE_INIT;
	comm(&table, 7, 7, "parent", true);
	map(&table, 7, 0x1000, 0x2000, 0, "/parent");
	size_t most = 0, num_gone = 0;
	for (uint32_t round = 0; round < ROUNDS; round++) {
		uint32_t first = FIRST + round * NUM;
		live_and_end(&table, first, NUM);
		num_gone += forget_before(&table, first + NUM - 10);
		most = table.num_processes > most ? table.num_processes : most;
		// Those that ended last are known.
		assert_place(&table, first + NUM - 1, 0x9000, "/child+0");
		assert_place(&table, first + NUM - 1, 0x1000, "/parent+0");
		assert_string_equal(process_table_thread_name(&table, first + NUM - 1,
							      first + NUM - 1),
				    "parent");
	}
	assert_true(most <= 2 * (NUM + 10) + 2);
	assert_true(num_gone > 2 * (ROUNDS - 2) * NUM);
	assert_true(table.num_threads <= 2 * (NUM + 10) + 2);
	assert_place(&table, 7, 0x1000, "/parent+0");
	// Their numbers are nobody's again, and mappings are freed.
	assert_string_equal(process_table_thread_name(&table, FIRST, FIRST), "");
	assert_true(table.room.num_used < 10 * NUM);
}

static void who_lives_is_not_forgotten(void **state)
{
	enum { NUM = PROCESS_TABLE_MANY_ENDED, FIRST = 1000 };
	_cleanup_(process_table_deinit) struct process_table table = PROCESS_TABLE_INIT;
	comm(&table, 7, 7, "parent", true);
	map(&table, 7, 0x1000, 0x2000, 0, "/parent");
	live_and_end(&table, FIRST, NUM);
	// One number is used again, and a thread of a process that goes on.
	fork_from(&table, 7, 7, FIRST, FIRST);
	fork_from(&table, 7, 7, 7, FIRST + 1);
	assert_int_equal(forget_before(&table, FIRST + NUM), 2 * NUM - 1);
	assert_int_equal(table.num_processes, 2);
	assert_int_equal(table.num_threads, 3);
	assert_place(&table, FIRST, 0x1000, "/parent+0");
	// Few have ended since.
	end_at(&table, FIRST, FIRST, FIRST + NUM);
	assert_int_equal(forget_before(&table, UINT64_MAX), 0);
}

int process_table_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_are_found),
		cmocka_unit_test(a_later_mapping_wins),
		cmocka_unit_test(random_mappings_are_as_in_a_plain_array),
		cmocka_unit_test(children_begin_with_what_their_parent_has),
		cmocka_unit_test(another_program_has_none_of_it),
		cmocka_unit_test(threads_share_maps_and_have_names),
		cmocka_unit_test(names_are_given_to_who_has_none),
		cmocka_unit_test(a_name_that_the_system_has_cut_is_whole),
		cmocka_unit_test(labels_end_with_the_name),
		cmocka_unit_test(nonsense_is_left_alone),
		cmocka_unit_test(modules_are_told_apart),
		cmocka_unit_test(images_of_the_windows_kernel_are_files_in_it),
		cmocka_unit_test(images_are_mapped_as_a_whole_or_by_section),
		cmocka_unit_test(a_new_image_in_the_kernel_is_events_for_all),
		cmocka_unit_test(children_share_until_one_changes),
		cmocka_unit_test(the_dead_are_freed_when_they_are_many),
		cmocka_unit_test(who_lives_again_is_not_freed),
		cmocka_unit_test(too_many_mappings_are_left_out),
		cmocka_unit_test(who_ended_long_ago_is_forgotten),
		cmocka_unit_test(who_lives_is_not_forgotten),
	};
	return cmocka_run_group_tests_name("process_table", tests, NULL, NULL);
}
