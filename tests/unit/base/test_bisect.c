// SPDX-License-Identifier: Apache-2.0

#include "base/container/bisect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct item {
	uint64_t other, number;
	uint32_t small;
};

enum { MAX_ITEMS = 40 };

static size_t count_up_to(const struct item *items, size_t count, uint64_t value)
{
	size_t passed = 0;
	while (passed < count && items[passed].number <= value)
		passed++;
	return passed;
}

/** Numbers of which some are the same, with gaps between others. */
static void fill(struct item items[MAX_ITEMS], uint64_t base)
{
	for (size_t i = 0; i < MAX_ITEMS; i++)
		items[i] =
			(struct item){.number = base + i / 3 * 2, .small = (uint32_t)(i / 3 * 2)};
}

static void test_every_value(void **state)
{
	struct item items[MAX_ITEMS];
	fill(items, 10);
	for (size_t count = 0; count <= MAX_ITEMS; count++) {
		for (uint64_t value = 8; value < 40; value++) {
			size_t expected = count_up_to(items, count, value);
			assert_int_equal(BISECT_U64(items, count, number, value), expected);
			if (value >= 10)
				assert_int_equal(bisect_u32(&items->small, count, sizeof(*items),
							    (uint32_t)value - 10),
						 expected);
		}
	}
}

static void test_large_numbers(void **state)
{
	struct item items[MAX_ITEMS];
	fill(items, UINT64_MAX - 26);
	assert_int_equal(BISECT_U64(items, MAX_ITEMS, number, UINT64_MAX - 27), 0);
	assert_int_equal(BISECT_U64(items, MAX_ITEMS, number, UINT64_MAX), MAX_ITEMS);
}

static void test_no_array(void **state)
{
	const struct item *none = NULL;
	assert_int_equal(BISECT_U64(none, 0, number, UINT64_MAX), 0);
}

int bisect_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_value),
		cmocka_unit_test(test_large_numbers),
		cmocka_unit_test(test_no_array),
	};
	return cmocka_run_group_tests_name("bisect", tests, NULL, NULL);
}
