// SPDX-License-Identifier: Apache-2.0

#include "symbols/jit/perf_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

/** Names at addresses 0x10, 0x20 and 0x30, with blanks between. */
static void assert_names(const char *text, const char *expected)
{
	_cleanup_free_ char *copy = strdup(text);
	assert_non_null(copy);
	_cleanup_(code_map_deinit) struct code_map map = CODE_MAP_INIT;
	assert_no_error(perf_map_parse(&map, copy, strlen(text)));
	char names[200] = "";
	for (uint64_t address = 0x10; address <= 0x30; address += 0x10) {
		const struct code_range *range = code_map_find(&map, address);
		strcat(names, range ? range->name : "-");
		strcat(names, address < 0x30 ? " " : "");
	}
	assert_string_equal(names, expected);
}

static void test_lines_name_ranges(void **state)
{
	assert_names("10 8 one\n20 8 two\n30 8 three\n", "one two three");
	assert_names("30 8 three\n10 8 one\n", "one - three");
	assert_names("0x10 0x11 Lfoo;::bar(int, char)",
		     "Lfoo;::bar(int, char) Lfoo;::bar(int, char) -");
	assert_names("10 8 one\r\n20 8 two", "one two -");
	assert_names("10 30 all\n20 8 two\n", "all two all");
	assert_names("20 8 two\n10 30 all\n", "all all all");
}

static void test_other_lines_are_left_out(void **state)
{
	static const char *const lines[] = {
		"",
		"\n\n",
		"10\n",
		"10 8\n",
		"10 8 \n",
		"x 8 one\n",
		" 10 8 one\n",
		"10 -8 one\n",
		"10 0 one\n",
		"10  8 one\n",
		"10 8\tone\n",
		"11111111111111111 8 one\n",
		"ffffffffffffffff 8 one\n",
	};
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		char text[100];
		strcat(strcpy(text, lines[i]), "\n20 1 two\n");
		assert_names(text, "- two -");
	}
}

static void test_long_names_are_cut(void **state)
{
	enum { LENGTH = 10000 };
	_cleanup_free_ char *text = malloc(LENGTH + 1);
	assert_non_null(text);
	memset(text, 'x', LENGTH);
	memcpy(text, "10 8 ", 5);
	text[LENGTH] = '\0';
	_cleanup_(code_map_deinit) struct code_map map = CODE_MAP_INIT;
	assert_no_error(perf_map_parse(&map, text, LENGTH));
	assert_int_equal(strlen(code_map_find(&map, 0x10)->name), 4096);
}

int perf_map_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines_name_ranges),
		cmocka_unit_test(test_other_lines_are_left_out),
		cmocka_unit_test(test_long_names_are_cut),
	};
	return cmocka_run_group_tests_name("perf_map", tests, NULL, NULL);
}
