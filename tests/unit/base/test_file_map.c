// SPDX-License-Identifier: Apache-2.0

#include "base/file/file_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/container/array.h"
#include "base/file/mapping_guard.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *directory_of(void **state)
{
	return *state;
}

static void path_of(void **state, const char *name, char path[256])
{
	snprintf(path, 256, "%s/%s", directory_of(state), name);
}

static void write_file(const char *path, const void *data, size_t size)
{
	FILE *file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

/** First of all, as guards stay. */
static void test_without_a_guard_files_are_read(void **state)
{
	char path[256];
	path_of(state, "read", path);
	static char data[200001];
	memset(data, 'x', sizeof(data));
	write_file(path, data, sizeof(data));
	struct sigaction before, after;
	sigaction(SIGBUS, NULL, &before);

	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	assert_null(file_map_open(&map, path));
	assert_false(map.mapped);
	assert_int_equal(truncate(path, 1), 0);
	assert_int_equal(map.size, sizeof(data));
	assert_memory_equal(map.data, data, sizeof(data));
	sigaction(SIGBUS, NULL, &after);
	assert_ptr_equal(after.sa_sigaction, before.sa_sigaction);
	file_map_close(&map);
	// A recording of gigabytes would not fit into memory: a sparse file stands for it.
	assert_int_equal(truncate(path, (off_t)FILE_MAP_MAX_READ + 1), 0);
	assert_null(file_map_open(&map, path));
	assert_true(map.mapped);
	assert_int_equal(map.size, (size_t)FILE_MAP_MAX_READ + 1);
	assert_int_equal(*(const char *)map.data, 'x');
	mapping_guard_install();
}

static void test_a_file_is_there_as_a_whole(void **state)
{
	char path[256];
	path_of(state, "plain \xc3\xa4", path);
	static char data[10001];
	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (char)(i * 7);
	write_file(path, data, sizeof(data));

	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	assert_null(file_map_open(&map, path));
	assert_int_equal(map.size, sizeof(data));
	assert_memory_equal(map.data, data, sizeof(data));
	assert_true(map.mapped);
	file_map_drop(&map);
	assert_memory_equal(map.data, data, sizeof(data));
}

static void test_a_file_that_is_open(void **state)
{
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	FILE *file = tmpfile();
	assert_non_null(file);
	assert_int_equal(fputs("not flushed", file) < 0, 0);
	assert_null(file_map_of_stream(&map, file, "it"));
	assert_int_equal(fclose(file), 0);
	assert_int_equal(map.size, 11);
	assert_memory_equal(map.data, "not flushed", 11);
}

static void test_an_empty_file_is_no_error(void **state)
{
	char path[256];
	path_of(state, "empty", path);
	write_file(path, "", 0);
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	assert_null(file_map_open(&map, path));
	assert_int_equal(map.size, 0);
	assert_null(map.data);
}

static void test_files_without_a_size_are_read(void **state)
{
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	assert_null(file_map_open(&map, "/proc/self/status"));
	assert_true(map.size > 100);
	file_map_drop(&map); // the only copy: it stays
	assert_memory_equal(map.data, "Name:", 5);
}

static void test_sysfs_is_read_though_it_claims_a_page(void **state)
{
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	if (access("/sys/kernel/mm/transparent_hugepage/enabled", R_OK) != 0)
		skip();
	assert_null(file_map_open(&map, "/sys/kernel/mm/transparent_hugepage/enabled"));
	assert_in_range(map.size, 1, 100);
	assert_non_null(memchr(map.data, '[', map.size));
}

static void test_a_pipe_is_read_to_its_end(void **state)
{
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	char data[30000];
	memset(data, 'x', sizeof(data));
	assert_int_equal(write(ends[1], data, sizeof(data)), sizeof(data));
	close(ends[1]);
	char path[64];
	snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	assert_null(file_map_open(&map, path));
	close(ends[0]);
	assert_int_equal(map.size, sizeof(data));
	assert_memory_equal(map.data, data, sizeof(data));
}

static void check_error(const char *path, enum error_code code, const char *reason)
{
	struct file_map map = FILE_MAP_INIT;
	_cleanup_(error_destroyp) struct error *err = file_map_open(&map, path);
	assert_non_null(err);
	char message[400];
	snprintf(message, sizeof(message), "cannot open '%s': %s", path, reason);
	assert_string_equal(err->message, message);
	assert_int_equal(err->code, code);
	assert_null(map.data);
	assert_int_equal(map.size, 0);
}

static void test_errors_name_the_path(void **state)
{
	char path[256];
	path_of(state, "missing", path);
	check_error(path, ERROR_ABSENT, "No such file or directory");
	path_of(state, "plain", path);
	write_file(path, "x", 1);
	strcat(path, "/below");
	check_error(path, ERROR_ABSENT, "Not a directory");
	check_error("", ERROR_ABSENT, "No such file or directory");
	check_error(directory_of(state), ERROR_FAILED, "Is a directory");
}

static void test_a_file_without_permission(void **state)
{
	if (geteuid() == 0)
		skip();
	char path[256];
	path_of(state, "secret", path);
	write_file(path, "x", 1);
	assert_int_equal(chmod(path, 0), 0);
	check_error(path, ERROR_FAILED, "Permission denied");
}

static void test_close_is_safe_twice_and_before_open(void **state)
{
	struct file_map map = FILE_MAP_INIT;
	file_map_close(&map);
	assert_null(file_map_open(&map, "/proc/self/exe"));
	assert_memory_equal(map.data, "\177ELF", 4);
	file_map_close(&map);
	assert_null(map.data);
	assert_int_equal(map.size, 0);
	file_map_close(&map);
}

static int create_directory(void **state)
{
	static char directory[] = "/tmp/test_file_map.XXXXXX";
	*state = mkdtemp(directory);
	return *state ? 0 : -1;
}

static int remove_directory(void **state)
{
	static const char *const names[] = {"plain \xc3\xa4", "plain", "empty", "secret", "read"};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char path[256];
		path_of(state, names[i], path);
		unlink(path);
	}
	return rmdir(directory_of(state));
}

int file_map_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_without_a_guard_files_are_read),
		cmocka_unit_test(test_a_file_is_there_as_a_whole),
		cmocka_unit_test(test_a_file_that_is_open),
		cmocka_unit_test(test_an_empty_file_is_no_error),
		cmocka_unit_test(test_files_without_a_size_are_read),
		cmocka_unit_test(test_sysfs_is_read_though_it_claims_a_page),
		cmocka_unit_test(test_a_pipe_is_read_to_its_end),
		cmocka_unit_test(test_errors_name_the_path),
		cmocka_unit_test(test_a_file_without_permission),
		cmocka_unit_test(test_close_is_safe_twice_and_before_open),
	};
	return cmocka_run_group_tests_name("file_map", tests, create_directory, remove_directory);
}
