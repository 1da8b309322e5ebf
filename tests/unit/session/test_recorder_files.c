// SPDX-License-Identifier: Apache-2.0

#include "session/recorder/part_names.h"
#include "session/trigger/log_line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_error.h"

#include "scratch_folder.h"

#include <fcntl.h>
#include <sys/stat.h>

static bool exists(const char *path)
{
	return file_path_kind(path) == FILE_PATH_FILE;
}

static void names_have_the_time(void **state)
{
	// 2026-03-01T12:30:05.678Z
	const uint64_t then = UINT64_C(1772368205678000000);
	const struct part_names names = {.path = "x.data"};
	char *name;
	assert_no_error(part_names_choose(&names, then, &name));
	assert_string_equal(name, "x.data.2026030112300567");
	scratch_folder_write(name, "");
	free(name);
	assert_no_error(part_names_choose(&names, then, &name));
	assert_string_equal(name, "x.data.2026030112300568");
	free(name);
}

static void the_oldest_files_go(void **state)
{
	struct part_names names = {.path = "x.data", .max_files = 2};
	scratch_folder_write("x.data.0", "of an earlier run");
	static const char *const parts[] = {"x.data.1", "x.data.2", "x.data.3"};
	for (size_t i = 0; i < 3; i++) {
		scratch_folder_write(parts[i], "");
		assert_no_error(part_names_keep(&names, parts[i]));
	}
	assert_true(exists("x.data.0"));
	assert_false(exists("x.data.1"));
	assert_true(exists("x.data.2") && exists("x.data.3"));
	part_names_deinit(&names);
}

static void a_text_comes_in_pieces(void **state)
{
	static struct log_line line;
	assert_int_equal(mkfifo("fifo", 0600), 0);
	assert_no_error(log_line_open("fifo", -1, "ERROR", &line));
	assert_false(log_line_poll(&line));
	int writer = open("fifo", O_WRONLY);
	assert_true(writer >= 0);
	assert_int_equal(write(writer, "all is well\nERR", 15), 15);
	assert_false(log_line_poll(&line));
	assert_int_equal(write(writer, "OR 5\n", 5), 5);
	assert_true(log_line_poll(&line));
	assert_false(log_line_poll(&line));
	// More than there is room for at once, and the text at its end.
	static char many[20000];
	memset(many, 'x', sizeof(many));
	memcpy(many + sizeof(many) - 5, "ERROR", 5);
	assert_int_equal(write(writer, many, sizeof(many)), sizeof(many));
	assert_true(log_line_poll(&line));
	close(writer);
	assert_false(log_line_poll(&line));
	log_line_close(&line);
}

static void only_a_fifo_is_read(void **state)
{
	static struct log_line line;
	scratch_folder_write("file", "ERROR");
	assert_error(log_line_open("file", -1, "ERROR", &line), ERROR_USAGE,
		     "--trigger: 'file' is not a FIFO");
	assert_error(log_line_open("absent", -1, "ERROR", &line), ERROR_FAILED,
		     "--trigger: cannot open 'absent': No such file or directory");
}

int recorder_files_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_have_the_time),
		cmocka_unit_test(the_oldest_files_go),
		cmocka_unit_test(a_text_comes_in_pieces),
		cmocka_unit_test(only_a_fifo_is_read),
	};
	return cmocka_run_group_tests_name("recorder_files", tests, scratch_folder_enter,
					   scratch_folder_leave);
}
