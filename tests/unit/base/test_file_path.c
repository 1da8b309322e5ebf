// SPDX-License-Identifier: Apache-2.0

#include "base/file/file_path.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "scratch_folder.h"

static void test_folders_are_made(void **state)
{
	char path[100];
	snprintf(path, sizeof(path), "%s/a/b/c", (char *)*state);
	assert_true(file_path_make_folders(path));
	assert_int_equal(file_path_kind("a/b"), FILE_PATH_OTHER);
	assert_int_equal(file_path_kind("a/b/c"), FILE_PATH_ABSENT);
	assert_true(file_path_make_folders("a/b/c"));
	assert_true(file_path_make_folders("d/e//f"));
	assert_int_equal(file_path_kind("d/e"), FILE_PATH_OTHER);
	assert_true(file_path_make_folders("alone"));
	assert_true(file_path_make_folders(""));
	scratch_folder_write("file", "");
	assert_false(file_path_make_folders("file/g/h"));
}

static void test_a_file_takes_anothers_place(void **state)
{
	scratch_folder_write("old", "old");
	scratch_folder_write("new", "new");
	assert_true(file_path_rename("new", "old"));
	assert_int_equal(file_path_kind("new"), FILE_PATH_ABSENT);
	char text[10] = "";
	FILE *stream = file_path_open("old", "r");
	assert_non_null(stream);
	assert_non_null(fgets(text, sizeof(text), stream));
	fclose(stream);
	assert_string_equal(text, "new");
	assert_false(file_path_rename("none", "old"));
	file_path_remove("old");
	assert_int_equal(file_path_kind("old"), FILE_PATH_ABSENT);
}

int file_path_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_folders_are_made, scratch_folder_enter,
						scratch_folder_leave),
		cmocka_unit_test_setup_teardown(test_a_file_takes_anothers_place,
						scratch_folder_enter, scratch_folder_leave),
	};
	return cmocka_run_group_tests_name("file_path", tests, NULL, NULL);
}
