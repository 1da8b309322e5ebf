// SPDX-License-Identifier: Apache-2.0

#include "process/memory/process_memory.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "process/memory/memory_pieces.h"
#include "tests/unit/assert_error.h"

enum { PAGE = 4096 };

/** Three pages of 'x', of which the last cannot be read. */
static char *map_with_hole(void)
{
	char *pages = mmap(NULL, 3 * (size_t)PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(pages, MAP_FAILED);
	memset(pages, 'x', 3 * (size_t)PAGE);
	assert_int_equal(mprotect(pages + 2 * (size_t)PAGE, PAGE, PROT_NONE), 0);
	return pages;
}

static void it_reads_up_to_a_hole(void **state)
{
	struct process_memory memory = process_memory_of((uint32_t)getpid());
	char *pages = map_with_hole();
	uint64_t address = (uint64_t)(uintptr_t)pages;
	_cleanup_free_ char *bytes = calloc(4, PAGE);
	assert_int_equal(memory.read(memory.context, address + 10, bytes, 3 * (size_t)PAGE),
			 2 * PAGE - 10);
	assert_int_equal(bytes[2 * PAGE - 11], 'x');
	assert_int_equal(memory.read(memory.context, address + 2 * (uint64_t)PAGE, bytes, 1), 0);
	assert_true(process_memory_read(&memory, address, bytes, 2 * (size_t)PAGE));
	assert_false(process_memory_read(&memory, address, bytes, 2 * (size_t)PAGE + 1));
	assert_int_equal(memory.read(memory.context, UINT64_MAX, bytes, 16), 0);
	munmap(pages, 3 * (size_t)PAGE);
}

static void it_reads_many_parts(void **state)
{
	enum { NUM = PROCESS_MEMORY_MAX_PARTS + 10 };
	struct process_memory memory = process_memory_of((uint32_t)getpid());
	static uint32_t from[NUM], to[NUM];
	static struct process_memory_part parts[NUM];
	for (uint32_t i = 0; i < NUM; i++) {
		from[i] = i;
		parts[i] = (struct process_memory_part){(uint64_t)(uintptr_t)&from[i], &to[i], 4};
	}
	assert_true(process_memory_read_parts(&memory, parts, NUM));
	assert_memory_equal(from, to, sizeof(from));
	parts[3].address = 8;
	assert_false(process_memory_read_parts(&memory, parts, NUM));
}

static void a_pointer_may_be_null(void **state)
{
	struct process_memory memory = process_memory_of((uint32_t)getpid());
	uint64_t pointer = 0, seen = 5;
	uint64_t address = (uint64_t)(uintptr_t)&pointer;
	assert_false(process_memory_read_pointer(&memory, address, &seen));
	pointer = 7;
	assert_true(process_memory_read_pointer(&memory, address, &seen));
	assert_int_equal(seen, 7);
}

static void it_says_why_it_cannot(void **state)
{
	assert_no_error(process_memory_check((uint32_t)getpid()));
	pid_t child = fork();
	if (child == 0)
		_exit(0);
	waitpid(child, NULL, 0);
	_cleanup_(error_destroyp) struct error *err = process_memory_check((uint32_t)child);
	assert_non_null(err);
	assert_non_null(strstr(err->message, "No such process"));
	assert_non_null(err->hint);
}

static void pieces_are_a_memory(void **state)
{
	static const struct memory_piece items[] = {
		{100, "abcdef", 6}, {106, "ghi", 3}, {UINT64_MAX - 1, "yz", 2}};
	struct memory_pieces pieces = {items, 3};
	struct process_memory memory = memory_pieces_memory(&pieces);
	char bytes[8] = "";
	assert_int_equal(memory.read(memory.context, 103, bytes, 8), 6);
	assert_memory_equal(bytes, "defghi", 6);
	assert_int_equal(memory.read(memory.context, 99, bytes, 8), 0);
	assert_int_equal(memory.read(memory.context, UINT64_MAX, bytes, 8), 1);
	struct process_memory_part parts[] = {{100, bytes, 2}, {108, bytes + 2, 1}};
	assert_true(process_memory_read_parts(&memory, parts, 2));
	assert_memory_equal(bytes, "abi", 3);
	parts[1].size = 2;
	assert_false(process_memory_read_parts(&memory, parts, 2));
}

int process_memory_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_reads_up_to_a_hole), cmocka_unit_test(it_reads_many_parts),
		cmocka_unit_test(a_pointer_may_be_null), cmocka_unit_test(it_says_why_it_cannot),
		cmocka_unit_test(pieces_are_a_memory),
	};
	return cmocka_run_group_tests_name("process_memory", tests, NULL, NULL);
}
