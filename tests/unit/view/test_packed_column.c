// SPDX-License-Identifier: Apache-2.0
#include "view/page/packed_column.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/container/array.h"
#include "tests/unit/capture.h"

typedef void (*add_fn)(struct packed_column *column, uint64_t value);

static void assert_packed(add_fn add, const uint64_t *values, size_t count, const char *expected)
{
	struct packed_column column = packed_column_create(capture_begin());
	for (size_t i = 0; i < count; i++)
		add(&column, values[i]);
	packed_column_finish(&column);
	_cleanup_free_ char *written = capture_end(column.stream);
	assert_string_equal(written, expected);
}

#define ASSERT_PACKED(add, expected, ...)                                       \
	do {                                                                    \
		const uint64_t values_[] = {__VA_ARGS__};                       \
		assert_packed((add), values_, ARRAY_SIZE(values_), (expected)); \
	} while (0)

static void test_padding(void **state)
{
	assert_packed(packed_column_add, NULL, 0, "");
	ASSERT_PACKED(packed_column_add, "AQ==", 1);
	ASSERT_PACKED(packed_column_add, "AQI=", 1, 2);
	ASSERT_PACKED(packed_column_add, "AQID", 1, 2, 3);
	ASSERT_PACKED(packed_column_add, "AQIDBA==", 1, 2, 3, 4);
}

static void test_long_numbers(void **state)
{
	ASSERT_PACKED(packed_column_add, "f4AB", 127, 128);
	ASSERT_PACKED(packed_column_add, "rAI=", 300);
	ASSERT_PACKED(packed_column_add, "////////////AQ==", UINT64_MAX);
}

static void test_steps(void **state)
{
	// Up 5, down 2, nothing: 10, 3, 0.
	ASSERT_PACKED(packed_column_add_step, "CgMA", 5, 3, 3);
	// To the end of the numbers it is one back.
	ASSERT_PACKED(packed_column_add_step, "AQI=", UINT64_MAX, 0);
	ASSERT_PACKED(packed_column_add_step, "////////////AQ==", 1ull << 63);
}

int packed_column_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_padding),
		cmocka_unit_test(test_long_numbers),
		cmocka_unit_test(test_steps),
	};
	return cmocka_run_group_tests_name("packed_column", tests, NULL, NULL);
}
