// SPDX-License-Identifier: Apache-2.0

#include "base/file/file_root.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/file/foreign_file.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static struct file_root root_of(uint64_t number, int folder)
{
	return (struct file_root){
		.id = {.mounts = 1, .inode = number}, .folder = folder, .mounts = -1};
}

static void test_each_root_is_kept_once_and_closed(void **state)
{
	struct file_roots roots = {0};
	const struct file_root *added, *first;
	int fd = open("/", O_PATH | O_DIRECTORY);
	struct file_root root = root_of(1, fd);
	assert_null(file_roots_add(&roots, &root, &first));
	for (uint64_t i = 2; i < 100; i++) { // the list grows, and pointers stay
		root = root_of(i, -1);
		assert_null(file_roots_add(&roots, &root, &added));
	}
	assert_ptr_equal(file_roots_find(&roots, root_of(1, -1).id), first);
	assert_null(file_roots_find(&roots, root_of(100, -1).id));
	assert_int_equal(roots.num_open, 1);
	assert_int_equal(first->folder, fd);
	file_roots_deinit(&roots);
	assert_int_equal(fcntl(fd, F_GETFD), -1);
}

static void test_too_many_are_closed(void **state)
{
	_cleanup_(file_roots_deinit) struct file_roots roots = {0};
	const struct file_root *added;
	struct file_root root;
	for (uint64_t i = 0; i < FILE_ROOTS_MAX; i++) {
		root = root_of(i, -1);
		assert_null(file_roots_add(&roots, &root, &added));
	}
	int fd = open("/", O_PATH | O_DIRECTORY);
	root = root_of(FILE_ROOTS_MAX, fd);
	assert_null(file_roots_add(&roots, &root, &added));
	assert_int_equal(roots.num_items, FILE_ROOTS_MAX);
	assert_true(added->folder < 0 && added->refusal);
	assert_int_equal(fcntl(fd, F_GETFD), -1);
}

/** A file of ours by the same name is another one. */
static void test_nothing_is_opened_in_a_closed_root(void **state)
{
	const struct file_root closed = {.folder = -1, .mounts = -1, .refusal = "the reason"};
	const struct file_rights rights = {.is_known = true, .root = &closed};
	const struct foreign_file_rules rules = {.max_size = UINT64_MAX, .rights = &rights};
	struct file_map map = FILE_MAP_INIT;
	_cleanup_(error_destroyp) struct error *err =
		foreign_file_open(&map, "/proc/self/exe", &rules);
	assert_non_null(err);
	assert_string_equal(err->message, "cannot open '/proc/self/exe' in the root folder of its "
					  "program: the reason");
}

int file_root_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_root_is_kept_once_and_closed),
		cmocka_unit_test(test_too_many_are_closed),
		cmocka_unit_test(test_nothing_is_opened_in_a_closed_root),
	};
	return cmocka_run_group_tests_name("file_root", tests, NULL, NULL);
}
