// SPDX-License-Identifier: Apache-2.0

#include "source/memory/leaks/leak_search.h"

#include "base/cleanup.h"
#include "base/file/close_fd.h"
#include "source/memory/preload/live_table.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

enum { TABLE_BYTES = LIVE_TABLE_SLOTS * sizeof(struct live_table_slot), PAGE = 4096 };

/** A process as the preloaded library would have left it, with what it says of its blocks. */
struct program {
	struct live_table_slot *table;
	int region;
	pid_t pid;
};

static void *map_bytes(size_t size, int flags, int fd)
{
	void *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, fd, 0);
	assert_true(bytes != MAP_FAILED);
	return bytes;
}

static struct program prepare(void)
{
	struct program program = {
		.table = map_bytes(TABLE_BYTES, MAP_PRIVATE | MAP_ANONYMOUS, -1),
		.region = memfd_create("region", MFD_CLOEXEC),
	};
	assert_true(program.region >= 0);
	assert_int_equal(ftruncate(program.region, PAGE), 0);
	return program;
}

static void say_block(struct program *program, size_t slot, uint64_t address, uint64_t size)
{
	program->table[slot].address = ~(uintptr_t)address;
	program->table[slot].live = (struct live_block){.id = slot + 1, .size = size};
}

/** @shares: it has the region mapped. */
static void start(struct program *program, bool shares)
{
	if (shares)
		map_bytes(PAGE, MAP_SHARED, program->region);
	program->pid = fork();
	if (program->pid == 0)
		for (;;)
			pause();
	assert_true(program->pid > 0);
}

static void stop(struct program *program)
{
	kill(program->pid, SIGKILL);
	waitpid(program->pid, NULL, 0);
	munmap(program->table, TABLE_BYTES);
	close_fd(&program->region);
}

static struct error *search(const struct program *program, uint64_t **ret, size_t *ret_num)
{
	struct thread_hold late = {.pid = 0};
	const struct leak_search_process process = {
		.pid = (uint32_t)program->pid,
		.table = (uint64_t)(uintptr_t)program->table,
		.region = program->region,
		.late = &late,
	};
	struct error *err = leak_search_run(&process, ret, ret_num);
	thread_hold_deinit(&late);
	return err;
}

/** A number of another process, which a program has written. */
static void a_process_that_shares_nothing_is_left_alone(void **state)
{
	struct program program = prepare();
	start(&program, false);
	uint64_t *ids;
	size_t num;
	char message[160];
	snprintf(message, sizeof(message),
		 "%d, which a program calls its number, is no process that shares memory with "
		 "wperf: programs of a container have other numbers",
		 (int)program.pid);
	assert_error(search(&program, &ids, &num), ERROR_FAILED, message);
	stop(&program);
}

/** One that nothing points to, one that a variable points to, and two that are lies. */
static void only_blocks_that_there_are_can_be_lost(void **state)
{
	static void *volatile kept;
	struct program program = prepare();
	kept = map_bytes(PAGE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	void *lost = map_bytes(PAGE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	memset(lost, 1, PAGE);
	say_block(&program, 0, (uint64_t)(uintptr_t)kept, PAGE);
	say_block(&program, 1, (uint64_t)(uintptr_t)lost, PAGE);
	say_block(&program, 2, PAGE, UINT64_C(1) << 62);
	say_block(&program, 3, (uint64_t)(uintptr_t)program.table, UINT64_C(1) << 46);
	uint64_t turned = ~(uint64_t)(uintptr_t)lost;
	lost = NULL;
	start(&program, true);
	uint64_t *ids;
	size_t num;
	assert_no_error(search(&program, &ids, &num));
	for (size_t i = 0; i < num; i++)
		assert_int_equal(ids[i], 2);
	// An old word of a stack may still point to it.
	assert_true(num <= 1);
	free(ids);
	stop(&program);
	munmap((void *)(uintptr_t)~turned, PAGE); // NOLINT: a number
	munmap(kept, PAGE);
}

int leak_search_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_process_that_shares_nothing_is_left_alone),
		cmocka_unit_test(only_blocks_that_there_are_can_be_lost),
	};
	return cmocka_run_group_tests_name("leak_search", tests, NULL, NULL);
}
