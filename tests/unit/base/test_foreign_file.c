// SPDX-License-Identifier: Apache-2.0

#include "base/file/foreign_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/file/file_path.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct foreign_file_rules rules = {.max_size = 4096};

static const char *path_of(void **state, const char *name)
{
	static char path[256];
	snprintf(path, sizeof(path), "%s/%s", (char *)*state, name);
	return path;
}

static const char *write_file(void **state, const char *name, size_t size)
{
	const char *path = path_of(state, name);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	for (size_t i = 0; i < size; i++)
		fputc('x', file);
	assert_int_equal(fclose(file), 0);
	return path;
}

static void assert_refused(const char *path, const char *reason)
{
	struct file_map map = FILE_MAP_INIT;
	_cleanup_(error_destroyp) struct error *err = foreign_file_open(&map, path, &rules);
	assert_non_null(err);
	if (!strstr(err->message, path) || !strstr(err->message, reason))
		fail_msg("%s", err->message);
	assert_null(map.data);
}

static void test_a_file(void **state)
{
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	assert_null(foreign_file_open(&map, write_file(state, "file", 4096), &rules));
	assert_int_equal(map.size, 4096);
	struct stat status;
	assert_int_equal(stat(path_of(state, "file"), &status), 0);
	assert_int_equal(map.inode, status.st_ino);
	assert_int_equal(symlink("file", path_of(state, "link")), 0);
	file_map_close(&map);
	assert_null(foreign_file_open(&map, path_of(state, "link"), &rules));
	assert_int_equal(map.inode, status.st_ino);
}

static void test_an_empty_file(void **state)
{
	_cleanup_(file_map_close) struct file_map map = {.data = "x", .size = 1};
	assert_null(foreign_file_open(&map, write_file(state, "empty", 0), &rules));
	assert_int_equal(map.size, 0);
	assert_null(map.data);
}

static void test_a_larger_file(void **state)
{
	assert_refused(write_file(state, "large", 4097), "has more than 4096 bytes");
	assert_int_equal(truncate(path_of(state, "large"), INT64_C(1) << 40), 0);
	assert_refused(path_of(state, "large"), "has more than 4096 bytes");
}

static void test_a_missing_file(void **state)
{
	struct file_map map = FILE_MAP_INIT;
	_cleanup_(error_destroyp) struct error *err =
		foreign_file_open(&map, path_of(state, "missing"), &rules);
	assert_non_null(err);
	assert_int_equal(err->code, ERROR_ABSENT);
}

static void test_what_is_no_file(void **state)
{
	static const char *const paths[] = {"/dev/zero", "/dev/null", "/dev/tty", "/tmp"};
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		if (access(paths[i], F_OK) == 0)
			assert_refused(paths[i], "is not a regular file");
	assert_int_equal(symlink("/dev/zero", path_of(state, "to a device")), 0);
	assert_refused(path_of(state, "to a device"), "is not a regular file");
}

static void test_files_of_the_kernel(void **state)
{
	static const char *const paths[] = {"/proc/kmsg", "/proc/self/mem", "/proc/self/maps",
					    "/sys/kernel/notes"};
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		if (access(paths[i], R_OK) == 0)
			assert_refused(paths[i], "is not a regular file");
}

/** A writer waits until somebody opens a pipe, and would then be killed by our closing it. */
static void test_a_pipe_is_not_even_opened(void **state)
{
	const char *path = path_of(state, "pipe");
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_refused(path, "is not a regular file");
	assert_null(file_path_open_regular(path));
	int reader = open(path, O_RDONLY | O_NONBLOCK);
	int writer = open(path, O_WRONLY | O_NONBLOCK);
	assert_true(reader >= 0 && writer >= 0);
	assert_int_equal(write(writer, "text", 4), 4);
	assert_refused(path, "is not a regular file");
	assert_null(file_path_open_regular(path));
	char text[5] = "";
	assert_int_equal(read(reader, text, 4), 4);
	assert_string_equal(text, "text");
	close(reader);
	close(writer);

	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		open(path, O_WRONLY); // waits for a reader
		_exit(0);
	}
	for (int i = 0; i < 20; i++) {
		assert_null(file_path_open_regular(path));
		poll(NULL, 0, 5);
	}
	assert_int_equal(waitpid(child, NULL, WNOHANG), 0);
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
}

/** Reads @name below the folder "root", as what nobody's program named. */
static struct error *open_below_root(void **state, const char *name, struct file_map *ret)
{
	static const struct file_rights nobody = {.is_known = true, .user = 65534, .group = 65534};
	char path[300];
	int length = snprintf(path, sizeof(path), "%s", path_of(state, "root"));
	snprintf(path + length, sizeof(path) - (size_t)length, "/%s", name);
	struct foreign_file_rules below = rules;
	below.rights = &nobody;
	below.root_length = (size_t)length;
	return foreign_file_open(ret, path, &below);
}

static void assert_below_root(void **state, const char *name, size_t size)
{
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	assert_null(open_below_root(state, name, &map));
	assert_int_equal(map.size, size);
}

/** A private file: only who may read everything can be fooled into showing it. */
static void test_links_in_a_root_do_not_lead_out(void **state)
{
	assert_int_equal(mkdir(path_of(state, "root"), 0700), 0);
	chmod(write_file(state, "private", 3), 0600);
	chmod(write_file(state, "root/private", 5), 0600);
	static const char *const inside[][2] = {
		{"private", "root/absolute"},
		{"/private", "root/to the root"},
		{"../../../private", "root/above"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(inside); i++) {
		assert_int_equal(symlink(inside[i][0], path_of(state, inside[i][1])), 0);
		assert_below_root(state, inside[i][1] + strlen("root/"), 5);
	}
	char target[256];
	snprintf(target, sizeof(target), "%s", path_of(state, "private"));
	assert_int_equal(symlink(target, path_of(state, "root/out")), 0);
	struct file_map map = FILE_MAP_INIT;
	if (file_rights_matter()) {
		_cleanup_(error_destroyp) struct error *err = open_below_root(state, "out", &map);
		assert_non_null(err);
		assert_null(map.data);
	}
}

static int create_directory(void **state)
{
	static char directory[] = "/tmp/test_foreign_file.XXXXXX";
	*state = mkdtemp(directory);
	return *state ? 0 : -1;
}

static int remove_directory(void **state)
{
	static const char *const names[] = {"file",         "link",          "empty",
					    "large",        "to a device",   "pipe",
					    "root/private", "root/absolute", "root/to the root",
					    "root/above",   "root/out",      "private"};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		unlink(path_of(state, names[i]));
	rmdir(path_of(state, "root"));
	return rmdir(*state);
}

int foreign_file_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_file),
		cmocka_unit_test(test_an_empty_file),
		cmocka_unit_test(test_a_larger_file),
		cmocka_unit_test(test_a_missing_file),
		cmocka_unit_test(test_what_is_no_file),
		cmocka_unit_test(test_files_of_the_kernel),
		cmocka_unit_test(test_a_pipe_is_not_even_opened),
		cmocka_unit_test(test_links_in_a_root_do_not_lead_out),
	};
	return cmocka_run_group_tests_name("foreign_file", tests, create_directory,
					   remove_directory);
}
