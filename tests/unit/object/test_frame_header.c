// SPDX-License-Identifier: Apache-2.0

#include "object/elf/frame_header.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/container/array.h"
#include "tests/unit/assert_error.h"

static struct object *open_self(void)
{
	struct object *object = NULL;
	assert_no_error(object_open("/proc/self/exe", "", &object));
	return object;
}

/** The symbols of this program say the same; labels within assembler functions begin with a dot. */
static void functions_begin_where_symbols_say(void **state)
{
	_cleanup_(object_destroyp) struct object *object = open_self();
	const struct object_symbol *symbols;
	size_t num_symbols, num_same = 0;
	assert_no_error(object_symbols(object, &symbols, &num_symbols));
	for (size_t i = 0; i < num_symbols; i++) {
		uint64_t start, end;
		if (!symbols[i].size || strchr(symbols[i].name, '@') ||
		    strchr("_.", symbols[i].name[0]) ||
		    !object_find_function(object, symbols[i].address + symbols[i].size - 1, &start,
					  &end))
			continue;
		assert_int_equal(start, symbols[i].address);
		assert_true(end >= symbols[i].address + symbols[i].size);
		num_same++;
	}
	assert_true(num_same > 100);
}

static void what_is_in_no_function_is_not_found(void **state)
{
	_cleanup_(object_destroyp) struct object *object = open_self();
	uint64_t start, end;
	assert_false(object_find_function(object, 0, &start, &end));
	assert_false(object_find_function(object, UINT64_MAX, &start, &end));
}

enum { HEADER = 0x1000, FRAMES = 0x2000 };

// Two functions: 0x100 bytes from 0x5000 on, 0x10 from 0x6000 on.
static const uint8_t header_bytes[] = {1, 0x1b, 3, 0x3b, 0, 0, 0, 0,    2, 0, 0,    0,    0, 0x40,
				       0, 0,    0, 0x10, 0, 0, 0, 0x50, 0, 0, 0x10, 0x10, 0, 0};
static const uint8_t frames_bytes[] = {12, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0,  1, 0, 0,
				       12, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0};

static bool find(const uint8_t *header, size_t header_size, size_t frames_size, uint64_t address,
		 uint64_t *ret_start)
{
	const struct object_bytes table = {header, header_size, HEADER};
	const struct object_bytes frames = {frames_bytes, frames_size, FRAMES};
	uint64_t end;
	return frame_header_find(&table, &frames, address, ret_start, &end);
}

static void rows_are_searched(void **state)
{
	static const struct {
		uint64_t address, start; // 0: in none
	} rows[] = {{0x4fff, 0},      {0x5000, 0x5000}, {0x50ff, 0x5000}, {0x5100, 0},
		    {0x6000, 0x6000}, {0x600f, 0x6000}, {0x6010, 0}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t start = 0;
		bool is_found = find(header_bytes, sizeof(header_bytes), sizeof(frames_bytes),
				     rows[i].address, &start);
		assert_int_equal(is_found, rows[i].start != 0);
		assert_int_equal(start, rows[i].start);
	}
}

static bool next(const uint8_t *header, uint64_t address, uint64_t *ret_start, uint64_t *ret_end)
{
	const struct object_bytes table = {header, sizeof(header_bytes), HEADER};
	const struct object_bytes frames = {frames_bytes, sizeof(frames_bytes), FRAMES};
	return frame_header_next(&table, &frames, address, ret_start, ret_end);
}

static void functions_come_one_after_another(void **state)
{
	static const struct {
		uint64_t address, start, end; // 0: there are no more
	} rows[] = {{0, 0x5000, 0x5100},
		    {0x5000, 0x5000, 0x5100},
		    {0x5001, 0x6000, 0x6010},
		    {0x6000, 0x6000, 0x6010},
		    {0x6001, 0, 0}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t start = 0, end = 0;
		assert_int_equal(next(header_bytes, rows[i].address, &start, &end),
				 rows[i].start != 0);
		assert_int_equal(start, rows[i].start);
		assert_int_equal(end, rows[i].end);
	}
}

/** Who asks for one behind the other comes to an end. */
static void tables_that_are_not_sorted_come_to_an_end(void **state)
{
	uint8_t damaged[sizeof(header_bytes)];
	memcpy(damaged, header_bytes, sizeof(damaged));
	memcpy(damaged + 12, header_bytes + 20, 8);
	memcpy(damaged + 20, header_bytes + 12, 8);
	uint64_t from = 0, start, end;
	size_t num = 0;
	for (; next(damaged, from, &start, &end); from = start + 1)
		assert_true(++num <= 2);
}

static void damaged_tables_have_no_functions(void **state)
{
	uint64_t start;
	for (size_t size = 0; size < sizeof(header_bytes); size++)
		assert_false(find(header_bytes, size, sizeof(frames_bytes), 0x5000, &start));
	for (size_t size = 0; size < sizeof(frames_bytes); size++)
		assert_false(find(header_bytes, sizeof(header_bytes), size, 0x6000, &start));
	for (size_t i = 0; i < 4; i++) {
		uint8_t damaged[sizeof(header_bytes)];
		memcpy(damaged, header_bytes, sizeof(damaged));
		damaged[i] ^= 0x40;
		assert_false(find(damaged, sizeof(damaged), sizeof(frames_bytes), 0x5000, &start));
	}
}

int frame_header_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_begin_where_symbols_say),
		cmocka_unit_test(what_is_in_no_function_is_not_found),
		cmocka_unit_test(rows_are_searched),
		cmocka_unit_test(functions_come_one_after_another),
		cmocka_unit_test(tables_that_are_not_sorted_come_to_an_end),
		cmocka_unit_test(damaged_tables_have_no_functions),
	};
	return cmocka_run_group_tests_name("frame_header", tests, NULL, NULL);
}
