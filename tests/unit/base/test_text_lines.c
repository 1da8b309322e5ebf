// SPDX-License-Identifier: Apache-2.0

#include "base/text/text_lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

#include <string.h>

static void assert_lines(const char *text, size_t size, const char *const *expected, size_t count)
{
	_cleanup_(text_lines_deinit) struct text_lines lines = TEXT_LINES_INIT;
	assert_no_error(text_lines_init(&lines, text, size));
	assert_int_equal(lines.num_lines, count);
	for (size_t i = 0; i < count; i++) {
		struct text_line line = text_lines_get(&lines, i + 1);
		assert_int_equal(line.length, strlen(expected[i]));
		assert_memory_equal(line.text, expected[i], line.length);
	}
	assert_null(text_lines_get(&lines, 0).text);
	assert_null(text_lines_get(&lines, count + 1).text);
	assert_null(text_lines_get(&lines, UINT64_MAX).text);
}

static void test_lines_have_no_ends(void **state)
{
	static const char *const expected[] = {"one", "", "three", "four"};
	assert_lines("one\n\nthree\r\nfour\n", 17, expected, 4);
	assert_lines("one\n\nthree\r\nfour", 16, expected, 4);
	assert_lines("one\n\nthree\nfour\r", 16, expected, 4);
	assert_lines("\n", 1, (const char *const[]){""}, 1);
	assert_lines("\r\n\n", 3, (const char *const[]){"", ""}, 2);
}

static void test_nothing_has_no_lines(void **state)
{
	assert_lines("", 0, NULL, 0);
	assert_lines(NULL, 0, NULL, 0);
}

int text_lines_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines_have_no_ends),
		cmocka_unit_test(test_nothing_has_no_lines),
	};
	return cmocka_run_group_tests_name("text_lines", tests, NULL, NULL);
}
