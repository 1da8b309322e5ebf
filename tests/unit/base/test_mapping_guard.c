// SPDX-License-Identifier: Apache-2.0

#include "base/file/mapping_guard.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/container/array.h"
#include "base/file/file_map.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 1 << 20, CUT = 10000 };

static char path[] = "/tmp/test_mapping_guard.XXXXXX";

static void write_whole(size_t size)
{
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	for (size_t i = 0; i < size; i++)
		fputc('x', file);
	assert_int_equal(fclose(file), 0);
}

static unsigned sum(const struct file_map *map)
{
	unsigned total = 0;
	for (size_t i = 0; i < map->size; i++)
		total += ((const volatile char *)map->data)[i] == 'x';
	return total;
}

static void test_what_was_cut_off_is_zeros(void **state)
{
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	write_whole(SIZE);
	assert_null(file_map_open(&map, path));
	assert_true(map.mapped);
	assert_null(mapping_guard_lost());
	assert_int_equal(truncate(path, CUT), 0);
	assert_int_equal(sum(&map), CUT);
	assert_string_equal(mapping_guard_lost(), path);
	assert_int_equal(truncate(path, 0), 0); // again, and now from the beginning
	assert_int_equal(sum(&map), 0);
	write_whole(SIZE); // as cp does it: what was missed once stays zeros
	assert_int_equal(sum(&map), 0);
	file_map_close(&map);
	assert_null(file_map_open(&map, path));
	assert_int_equal(sum(&map), SIZE);
}

static void test_the_last_byte_first(void **state)
{
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	write_whole(SIZE);
	assert_null(file_map_open(&map, path));
	assert_int_equal(truncate(path, 0), 0);
	for (size_t i = map.size; i > 0; i--)
		assert_int_equal(((const volatile char *)map.data)[i - 1], 0);
}

static void test_more_mappings_than_fit_into_one_block(void **state)
{
	static struct file_map maps[600];
	write_whole(CUT);
	for (size_t i = 0; i < ARRAY_SIZE(maps); i++)
		assert_null(file_map_open(&maps[i], path));
	assert_int_equal(truncate(path, 0), 0);
	for (size_t i = 0; i < ARRAY_SIZE(maps); i++)
		assert_int_equal(sum(&maps[i]), 0);
	for (size_t i = 0; i < ARRAY_SIZE(maps); i++)
		file_map_close(&maps[i]);
}

/** What nobody guards ends the process as before. */
static void test_other_mappings(void **state)
{
	write_whole(SIZE);
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		FILE *file = fopen(path, "r");
		const volatile char *data =
			mmap(NULL, SIZE, PROT_READ, MAP_PRIVATE, fileno(file), 0);
		signal(SIGBUS, SIG_DFL);
		struct file_map map = FILE_MAP_INIT;
		bool is_ready = !file_map_open(&map, path) && truncate(path, 0) == 0;
		_exit(is_ready ? data[SIZE - 1] : 0); // not reached
	}
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_not_equal(status, 0);
}

enum { NUM_THREADS = 4, NUM_ROUNDS = 500 };

/** Adds and removes all the time, with faults in between. */
static void *test_churn(void *unused)
{
	for (int i = 0; i < NUM_ROUNDS; i++) {
		struct file_map map = FILE_MAP_INIT;
		if (file_map_open(&map, path) || sum(&map) != 0 || map.size != SIZE / 16)
			return path;
		file_map_close(&map);
	}
	return NULL;
}

static void test_threads_share_the_guard(void **state)
{
	// Sparse: its pages are zeros, also those that were cut off.
	write_whole(0);
	assert_int_equal(truncate(path, SIZE / 16), 0);
	pthread_t threads[NUM_THREADS];
	for (size_t i = 0; i < NUM_THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, test_churn, NULL), 0);
	for (size_t i = 0; i < NUM_THREADS; i++) {
		void *failed;
		pthread_join(threads[i], &failed);
		assert_null(failed);
	}
}

static int create_file(void **state)
{
	mapping_guard_install();
	int fd = mkstemp(path);
	return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
	return unlink(path);
}

int mapping_guard_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_was_cut_off_is_zeros),
		cmocka_unit_test(test_the_last_byte_first),
		cmocka_unit_test(test_more_mappings_than_fit_into_one_block),
		cmocka_unit_test(test_threads_share_the_guard),
		cmocka_unit_test(test_other_mappings),
	};
	return cmocka_run_group_tests_name("mapping_guard", tests, create_file, remove_file);
}
