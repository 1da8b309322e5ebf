// SPDX-License-Identifier: Apache-2.0

#include "catalog/file/config_lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static void only_lines_that_say_something_are_given(void **state)
{
	static const char text[] = "\xef\xbb\xbf# head\n"
				   "\n"
				   "  first : a, b \t\r\n"
				   "   # indented\n"
				   "second # why\n"
				   "third";
	_cleanup_(config_lines_deinit) struct config_lines lines = CONFIG_LINES_INIT;
	assert_no_error(config_lines_init(&lines, "x", text, strlen(text)));
	assert_string_equal(config_lines_next(&lines), "first : a, b");
	assert_int_equal(lines.number, 3);
	assert_string_equal(config_lines_next(&lines), "second");
	assert_int_equal(lines.number, 5);
	assert_string_equal(config_lines_next(&lines), "third");
	assert_int_equal(lines.number, 6);
	assert_null(config_lines_next(&lines));
	assert_null(config_lines_next(&lines));
}

static void an_empty_file_has_no_lines(void **state)
{
	_cleanup_(config_lines_deinit) struct config_lines lines = CONFIG_LINES_INIT;
	assert_no_error(config_lines_init(&lines, "x", NULL, 0));
	assert_null(config_lines_next(&lines));
}

static void text_of_two_bytes_per_letter_is_refused(void **state)
{
	static const char text[] = "\xff\xfe"
				   "a\0:\0"
				   "1";
	struct config_lines lines = CONFIG_LINES_INIT;
	assert_error(config_lines_init(&lines, "x.txt", text, sizeof(text)), ERROR_FAILED,
		     "config file 'x.txt' is not a text file");
}

static void errors_get_file_and_line(void **state)
{
	_cleanup_(config_lines_deinit) struct config_lines lines = CONFIG_LINES_INIT;
	assert_no_error(config_lines_init(&lines, "x.txt", "\na\n", 3));
	config_lines_next(&lines);
	_cleanup_(error_destroyp) struct error *err =
		config_lines_error(&lines, error_create(ERROR_USAGE, "no"));
	assert_string_equal(err->message, "no");
	assert_string_equal(err->hint, "see line 2 of 'x.txt'");
}

int config_lines_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_lines_that_say_something_are_given),
		cmocka_unit_test(an_empty_file_has_no_lines),
		cmocka_unit_test(text_of_two_bytes_per_letter_is_refused),
		cmocka_unit_test(errors_get_file_and_line),
	};
	return cmocka_run_group_tests_name("config_lines", tests, NULL, NULL);
}
