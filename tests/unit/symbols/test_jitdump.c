// SPDX-License-Identifier: Apache-2.0

#include "symbols/jit/jitdump.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

#include "tests/unit/jitdump_bytes.h"

static const char *name_at(const struct code_map *map, uint64_t address)
{
	const struct code_range *range = code_map_find(map, address);
	return range ? range->name : "-";
}

static void assert_line(const struct code_map *map, uint64_t address, const char *file,
			uint32_t line)
{
	const struct code_line *found =
		code_map_find_line(map, code_map_find(map, address), address);
	assert_non_null(found);
	assert_string_equal(found->file, file);
	assert_int_equal(found->line, line);
}

static void put_program(struct jitdump_bytes *bytes)
{
	jitdump_put_header(bytes);
	jitdump_put_lines(bytes, 0x1000, 0x100, "/a.js");
	jitdump_put_load(bytes, 0x1000, 0x100, 1, "first");
	jitdump_put_load(bytes, 0x2000, 0x100, 2, "second");
	jitdump_begin(bytes, 4); // how to unwind: skipped
	jitdump_put64(bytes, 5);
	jitdump_end(bytes);
	jitdump_put_move(bytes, 0x1000, 0x3000, 0x100, 1);
	jitdump_put_load(bytes, 0x1000, 0x10, 3, "third");
}

static void check_program(bool is_swapped)
{
	struct jitdump_bytes bytes = {.is_swapped = is_swapped};
	put_program(&bytes);
	_cleanup_(code_map_deinit) struct code_map map = CODE_MAP_INIT;
	assert_no_error(jitdump_parse(&map, bytes.data, bytes.size));
	assert_string_equal(name_at(&map, 0x2000), "second");
	assert_string_equal(name_at(&map, 0x20ff), "second");
	assert_string_equal(name_at(&map, 0x2100), "-");
	assert_string_equal(name_at(&map, 0x3001), "first");
	assert_string_equal(name_at(&map, 0x1001), "third");
	assert_string_equal(name_at(&map, 0x1010), "first");
	assert_line(&map, 0x3000, "/a.js", 10);
	assert_line(&map, 0x307f, "/a.js", 10);
	assert_line(&map, 0x3080, "/a.js", 11);
	assert_null(code_map_find_line(&map, code_map_find(&map, 0x2000), 0x2000));
}

static void test_code_is_loaded_and_moved(void **state)
{
	check_program(false);
}

static void test_the_other_byte_order(void **state)
{
	check_program(true);
}

static void test_each_end_that_is_missing(void **state)
{
	struct jitdump_bytes bytes = {0};
	put_program(&bytes);
	for (size_t size = 40; size < bytes.size; size++) {
		_cleanup_(code_map_deinit) struct code_map map = CODE_MAP_INIT;
		assert_no_error(jitdump_parse(&map, bytes.data, size));
		assert_true(map.num_ranges < 4);
	}
}

static void test_lines_of_other_code_are_not_taken(void **state)
{
	struct jitdump_bytes bytes = {0};
	jitdump_put_header(&bytes);
	jitdump_put_lines(&bytes, 0x1000, 0x100, "/a.js");
	jitdump_put_load(&bytes, 0x2000, 0x100, 2, "second");
	jitdump_put_load(&bytes, 0x1000, 0x100, 1, "first");
	_cleanup_(code_map_deinit) struct code_map map = CODE_MAP_INIT;
	assert_no_error(jitdump_parse(&map, bytes.data, bytes.size));
	assert_int_equal(code_map_find(&map, 0x1000)->num_lines, 0);
	assert_int_equal(code_map_find(&map, 0x2000)->num_lines, 0);
}

static void test_what_is_no_jitdump(void **state)
{
	_cleanup_(code_map_deinit) struct code_map map = CODE_MAP_INIT;
	assert_error(jitdump_parse(&map, "", 0), ERROR_FAILED, "it is not a jitdump file");
	assert_error(jitdump_parse(&map, "DTiJ", 4), ERROR_FAILED, "it is not a jitdump file");
	assert_error(jitdump_parse(&map, "PK\3\4\1\0\0\0\50\0\0\0", 12), ERROR_FAILED,
		     "it is not a jitdump file");
}

int jitdump_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_code_is_loaded_and_moved),
		cmocka_unit_test(test_the_other_byte_order),
		cmocka_unit_test(test_each_end_that_is_missing),
		cmocka_unit_test(test_lines_of_other_code_are_not_taken),
		cmocka_unit_test(test_what_is_no_jitdump),
	};
	return cmocka_run_group_tests_name("jitdump", tests, NULL, NULL);
}
