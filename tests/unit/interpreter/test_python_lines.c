// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/stack/python_lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define LINES(lines_format, first, ...)                          \
	{                                                        \
		.format = (lines_format), .first_line = (first), \
		.bytes = (const uint8_t[]){__VA_ARGS__},         \
		.size = sizeof((const uint8_t[]){__VA_ARGS__})   \
	}

static uint32_t line_at(const struct python_lines *lines, int64_t offset)
{
	return python_lines_find(lines, offset).line;
}

static void it_follows_steps(void **state)
{
	// Six bytes of line 10, four of 13, two of 8, then 308 in steps of at most 127.
	const struct python_lines lines =
		LINES(PYTHON_LINES_STEPS, 10, 6, 3, 4, 0xfb, 2, 127, 0, 127, 0, 46);
	static const uint32_t expected[] = {10, 10, 10, 13, 13, 8, 308, 308};
	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		assert_int_equal(line_at(&lines, 2 * (int64_t)i), expected[i]);
	assert_int_equal(line_at(&lines, INT64_MAX), 308);
	assert_int_equal(line_at(&lines, -1), 10);
}

static void it_follows_ranges(void **state)
{
	const struct python_lines lines =
		LINES(PYTHON_LINES_RANGES, 5, 4, 1, 2, 0x80, 0, 127, 6, 0xf6);
	static const uint32_t expected[] = {6, 6, 0, 123, 123, 123, 0};
	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		assert_int_equal(line_at(&lines, 2 * (int64_t)i), expected[i]);
}

static void assert_position(const struct python_lines *lines, int64_t offset, uint32_t line,
			    uint32_t end_line, uint32_t column, uint32_t end_column)
{
	struct code_position seen = python_lines_find(lines, offset);
	assert_int_equal(seen.line, line);
	assert_int_equal(seen.end_line, end_line);
	assert_int_equal(seen.column, column);
	assert_int_equal(seen.end_column, end_column);
}

static void it_follows_locations(void **state)
{
	const struct python_lines lines =
		LINES(PYTHON_LINES_LOCATIONS, 1, 0x80 | 2 << 3 | 1,
		      0x35,                                      // two units, column 19 to 24
		      0x80 | 12 << 3, 200, 210,                  // two lines on
		      0x80 | 13 << 3, 0x40 | 3, 3,               // 97 lines back
		      0x80 | 14 << 3 | 7, 0x40 | 40, 3, 5, 6, 0, // 116 lines on
		      0x80 | 15 << 3);
	assert_position(&lines, 0, 1, 1, 20, 25);
	assert_position(&lines, 2, 1, 1, 20, 25);
	assert_position(&lines, 4, 3, 3, 201, 211);
	assert_position(&lines, 6, 0, 0, 0, 0); // line -94
	assert_position(&lines, 8, 22, 27, 6, 0);
	assert_position(&lines, 22, 22, 27, 6, 0);
	assert_position(&lines, 24, 0, 0, 0, 0);
	assert_position(&lines, 26, 0, 0, 0, 0);
	assert_position(&lines, -2, 1, 1, 0, 0);
}

static void it_has_entries_without_gaps(void **state)
{
	uint8_t bytes[4096];
	uint32_t seed = 1;
	for (size_t i = 0; i < sizeof(bytes); i++) {
		seed = seed * 1103515245 + 12345;
		bytes[i] = (uint8_t)(seed >> 16);
	}
	for (int format = PYTHON_LINES_STEPS; format <= PYTHON_LINES_LOCATIONS; format++) {
		const struct python_lines lines = {format, 1, bytes, sizeof(bytes)};
		struct python_lines_cursor cursor = python_lines_begin(&lines);
		struct python_lines_entry entry;
		uint64_t end = 0;
		size_t num = 0;
		for (; python_lines_next(&cursor, &entry); end = entry.end, num++) {
			assert_int_equal(entry.start, end);
			assert_true(entry.end > entry.start);
		}
		assert_in_range(num, 500, sizeof(bytes));
		assert_false(python_lines_next(&cursor, &entry));
	}
}

static void it_takes_an_empty_table(void **state)
{
	const struct python_lines none = {.format = PYTHON_LINES_LOCATIONS, .first_line = 7};
	assert_int_equal(line_at(&none, 0), 0);
	const struct python_lines steps = {.format = PYTHON_LINES_STEPS, .first_line = 7};
	assert_int_equal(line_at(&steps, 0), 7);
	const struct python_lines odd = LINES(PYTHON_LINES_RANGES, 7, 4);
	assert_int_equal(line_at(&odd, 0), 0);
}

static void numbers_without_end_stay_small(void **state)
{
	uint8_t bytes[64];
	bytes[0] = 0x80 | 13 << 3;
	for (size_t i = 1; i < sizeof(bytes); i++)
		bytes[i] = 0x7f;
	const struct python_lines lines = {PYTHON_LINES_LOCATIONS, 1, bytes, sizeof(bytes)};
	assert_position(&lines, 0, 0, 0, 0, 0);
}

int python_lines_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_follows_steps),
		cmocka_unit_test(it_follows_ranges),
		cmocka_unit_test(it_follows_locations),
		cmocka_unit_test(it_has_entries_without_gaps),
		cmocka_unit_test(it_takes_an_empty_table),
		cmocka_unit_test(numbers_without_end_stay_small),
	};
	return cmocka_run_group_tests_name("python_lines", tests, NULL, NULL);
}
