// SPDX-License-Identifier: Apache-2.0

#include "object/range_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static void it_finds_nothing_in_nothing(void **state)
{
	_cleanup_(range_map_deinit) struct range_map map = RANGE_MAP_INIT;
	assert_no_error(range_map_add(&map, 5, 5, 0, 1));
	assert_no_error(range_map_build(&map));
	assert_int_equal(range_map_find(&map, 5), RANGE_MAP_NONE);
}

static void it_finds_the_innermost(void **state)
{
	_cleanup_(range_map_deinit) struct range_map map = RANGE_MAP_INIT;
	assert_no_error(range_map_add(&map, 12, 14, 2, 3));
	assert_no_error(range_map_add(&map, 10, 12, 1, 2));
	assert_no_error(range_map_add(&map, 10, 20, 0, 1));
	assert_no_error(range_map_add(&map, 20, 30, 0, 4));
	assert_no_error(range_map_build(&map));
	static const uint32_t expected[] = {RANGE_MAP_NONE, 2, 2, 3, 3, 1, 1, 1, 1, 1, 1, 4};
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		assert_int_equal(range_map_find(&map, 9 + i), expected[i]);
	assert_int_equal(range_map_find(&map, 30), RANGE_MAP_NONE);
	assert_int_equal(range_map_find(&map, UINT64_MAX), RANGE_MAP_NONE);
}

static void it_cuts_what_goes_on_behind_its_outer_range(void **state)
{
	_cleanup_(range_map_deinit) struct range_map map = RANGE_MAP_INIT;
	assert_no_error(range_map_add(&map, 0, 10, 0, 1));
	assert_no_error(range_map_add(&map, 5, 15, 1, 2));
	assert_no_error(range_map_build(&map));
	assert_int_equal(range_map_find(&map, 9), 2);
	assert_int_equal(range_map_find(&map, 10), RANGE_MAP_NONE);
}

enum { SPACE = 4096 };

/** Splits a range at random into inner ranges; @painted is what each address must give. */
static void nest(struct range_map *map, uint32_t *painted, uint64_t start, uint64_t end,
		 uint32_t depth, uint32_t *next)
{
	uint32_t value = (*next)++;
	assert_no_error(range_map_add(map, start, end, depth, value));
	for (uint64_t at = start; at < end; at++)
		painted[at] = value;
	while (depth < 6 && end - start > 2) {
		uint64_t inner = start + (uint64_t)rand() % (end - start);
		uint64_t inner_end = inner + 1 + (uint64_t)rand() % (end - inner);
		nest(map, painted, inner, inner_end, depth + 1, next);
		start = inner_end;
		if (start >= end)
			break;
	}
}

static void it_agrees_with_painting(void **state)
{
	srand(1);
	for (int round = 0; round < 50; round++) {
		_cleanup_(range_map_deinit) struct range_map map = RANGE_MAP_INIT;
		uint32_t painted[SPACE + 1];
		painted[SPACE] = RANGE_MAP_NONE;
		uint32_t next = 0;
		nest(&map, painted, 0, SPACE, 0, &next);
		assert_no_error(range_map_build(&map));
		for (uint64_t at = 0; at <= SPACE; at++)
			assert_int_equal(range_map_find(&map, at), painted[at]);
	}
}

int range_map_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_finds_nothing_in_nothing),
		cmocka_unit_test(it_finds_the_innermost),
		cmocka_unit_test(it_cuts_what_goes_on_behind_its_outer_range),
		cmocka_unit_test(it_agrees_with_painting),
	};
	return cmocka_run_group_tests_name("range_map", tests, NULL, NULL);
}
