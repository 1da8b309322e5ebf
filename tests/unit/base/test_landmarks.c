// SPDX-License-Identifier: Apache-2.0

#include "base/text/landmarks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/** A number within something larger, as where a function starts. */
struct item {
	uint32_t other, number, another;
};

enum { MAX_ITEMS = 70 };

static size_t count_up_to(const struct item *items, size_t count, uint32_t value)
{
	size_t passed = 0;
	while (passed < count && items[passed].number <= value)
		passed++;
	return passed;
}

static size_t find(const struct landmarks *landmarks, const struct item *items, size_t count,
		   uint32_t value)
{
	return landmarks_bisect(landmarks, &items->number, count, sizeof(*items), value);
}

static void check_all(const struct landmarks *landmarks, const struct item *items, size_t count)
{
	for (uint32_t value = 0; value < 4 * MAX_ITEMS; value++)
		assert_int_equal(find(landmarks, items, count, value),
				 count_up_to(items, count, value));
	assert_int_equal(find(landmarks, items, count, UINT32_MAX), count);
}

static void test_each_value_in_arrays_of_each_size(void **state)
{
	struct item items[MAX_ITEMS];
	_cleanup_(landmarks_deinit) struct landmarks landmarks = LANDMARKS_INIT;
	for (uint32_t step = 0; step < 4; step++) { // 0: all are the same
		for (uint32_t i = 0; i < MAX_ITEMS; i++)
			items[i] = (struct item){UINT32_MAX, 5 + i * step, 0};
		for (size_t count = 0; count <= MAX_ITEMS; count++) {
			assert_null(
				landmarks_set(&landmarks, &items->number, count, sizeof(*items)));
			check_all(&landmarks, items, count);
		}
	}
}

static void test_nothing_is_in_nothing(void **state)
{
	const struct landmarks none = LANDMARKS_INIT;
	assert_int_equal(landmarks_bisect(&none, NULL, 0, sizeof(uint32_t), 1), 0);
}

int landmarks_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_value_in_arrays_of_each_size),
		cmocka_unit_test(test_nothing_is_in_nothing),
	};
	return cmocka_run_group_tests_name("landmarks", tests, NULL, NULL);
}
