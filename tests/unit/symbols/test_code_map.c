// SPDX-License-Identifier: Apache-2.0

#include "symbols/code_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static void add(struct code_map *map, uint64_t start, uint64_t size, const char *name)
{
	struct code_range range = {.start = start, .size = size, .name = name};
	assert_no_error(code_map_add(map, &range));
}

static const char *name_at(const struct code_map *map, uint64_t address)
{
	const struct code_range *range = code_map_find(map, address);
	return range ? range->name : "-";
}

static void test_the_later_range_wins(void **state)
{
	_cleanup_(code_map_deinit) struct code_map map = CODE_MAP_INIT;
	add(&map, 10, 10, "old");
	add(&map, 14, 2, "new");
	add(&map, 30, 5, "alone");
	assert_no_error(code_map_build(&map));
	static const struct {
		uint64_t address;
		const char *name;
	} cases[] = {{9, "-"},      {10, "old"},   {13, "old"}, {14, "new"},
		     {15, "new"},   {16, "old"},   {19, "old"}, {20, "-"},
		     {30, "alone"}, {34, "alone"}, {35, "-"}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_string_equal(name_at(&map, cases[i].address), cases[i].name);
}

static void test_nothing_is_in_an_empty_map(void **state)
{
	_cleanup_(code_map_deinit) struct code_map map = CODE_MAP_INIT;
	add(&map, 10, 0, "empty");
	add(&map, UINT64_MAX - 1, 2, "beyond the end");
	assert_no_error(code_map_build(&map));
	assert_null(code_map_find(&map, 10));
	assert_null(code_map_find(&map, UINT64_MAX));
}

static void test_it_agrees_with_painting_over(void **state)
{
	enum { NUM_ROUNDS = 300, NUM_RANGES = 40, NUM_ADDRESSES = 200 };
	static char names[NUM_RANGES][2];
	srand(3);
	for (int round = 0; round < NUM_ROUNDS; round++) {
		const char *painted[NUM_ADDRESSES];
		for (int i = 0; i < NUM_ADDRESSES; i++)
			painted[i] = "-";
		_cleanup_(code_map_deinit) struct code_map map = CODE_MAP_INIT;
		for (int i = 0; i < NUM_RANGES; i++) {
			names[i][0] = (char)('0' + i);
			int start = rand() % NUM_ADDRESSES;
			int size = rand() % (1 + rand() % (NUM_ADDRESSES - start));
			add(&map, (uint64_t)start, (uint64_t)size, names[i]);
			for (int k = start; k < start + size; k++)
				painted[k] = names[i];
		}
		assert_no_error(code_map_build(&map));
		for (int i = 0; i < NUM_ADDRESSES; i++)
			assert_string_equal(name_at(&map, (uint64_t)i), painted[i]);
	}
}

static void test_lines_are_sorted(void **state)
{
	_cleanup_(code_map_deinit) struct code_map map = CODE_MAP_INIT;
	static const struct code_line lines[] = {{9, "a", 3}, {0, "a", 1}, {4, "b", 2}};
	map.lines = malloc(sizeof(lines));
	assert_non_null(map.lines);
	memcpy(map.lines, lines, sizeof(lines));
	map.num_lines = map.cap_lines = 3;
	struct code_range range = {100, 20, "f", 0, 3};
	assert_no_error(code_map_add(&map, &range));
	assert_no_error(code_map_build(&map));
	const struct code_range *found = code_map_find(&map, 104);
	assert_int_equal(code_map_find_line(&map, found, 103)->line, 1);
	assert_int_equal(code_map_find_line(&map, found, 104)->line, 2);
	assert_int_equal(code_map_find_line(&map, found, 119)->line, 3);
}

int code_map_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_later_range_wins),
		cmocka_unit_test(test_nothing_is_in_an_empty_map),
		cmocka_unit_test(test_it_agrees_with_painting_over),
		cmocka_unit_test(test_lines_are_sorted),
	};
	return cmocka_run_group_tests_name("code_map", tests, NULL, NULL);
}
