// SPDX-License-Identifier: Apache-2.0

#include "profile/memory/memory_curve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "tests/unit/assert_error.h"

enum { MS = 1000000 };

static void test_the_peak_is_exact_however_long_it_takes(void **state)
{
	_cleanup_(memory_curve_deinit) struct memory_curve curve = MEMORY_CURVE_INIT;
	uint64_t begin_ns = 12345;
	for (uint64_t i = 0; i < 100000; i++)
		assert_no_error(
			memory_curve_add(&curve, begin_ns + i * MS, i == 70001 ? 5000 : i % 1000));
	assert_true(curve.num_points > MEMORY_CURVE_MAX_POINTS / 4);
	assert_true(curve.num_points <= MEMORY_CURVE_MAX_POINTS);
	const struct memory_point *peak = memory_curve_peak(&curve);
	assert_int_equal(peak->most, 5000);
	assert_int_equal(peak->time_ns, begin_ns + UINT64_C(70001) * MS);
	assert_int_equal(curve.points[curve.num_points - 1].last, 99999 % 1000);
	for (size_t i = 1; i < curve.num_points; i++)
		assert_true(curve.points[i].time_ns > curve.points[i - 1].time_ns);
}

static void test_what_is_left_holds_until_the_next_point(void **state)
{
	_cleanup_(memory_curve_deinit) struct memory_curve curve = MEMORY_CURVE_INIT;
	uint64_t slots[6];
	assert_null(memory_curve_peak(&curve));
	assert_no_error(memory_curve_add(&curve, 10 * MS, 100));
	assert_no_error(memory_curve_add(&curve, 10 * MS + 1, 900));
	assert_no_error(memory_curve_add(&curve, 10 * MS + 2, 200));
	assert_no_error(memory_curve_add(&curve, 14 * MS, 50));
	assert_int_equal(curve.num_points, 2);
	memory_curve_slots(&curve, 9 * MS, MS, 6, slots);
	const uint64_t expected[] = {0, 900, 200, 200, 200, 200};
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(slots[i], expected[i]);
	// What comes later than the last slot is in it.
	memory_curve_slots(&curve, 0, MS, 1, slots);
	assert_int_equal(slots[0], 900);
}

static void test_bytes_of_a_file_are_checked(void **state)
{
	_cleanup_(memory_curve_deinit) struct memory_curve curve = MEMORY_CURVE_INIT;
	_cleanup_(memory_curve_deinit) struct memory_curve read = MEMORY_CURVE_INIT;
	_cleanup_(memory_curve_deinit) struct memory_curve bad = MEMORY_CURVE_INIT;
	_cleanup_(string_builder_deinit) struct string_builder bytes = STRING_BUILDER_INIT;
	for (uint64_t i = 1; i < 10; i++)
		assert_no_error(memory_curve_add(&curve, i * MS, i));
	memory_curve_encode(&curve, &bytes);
	assert_no_error(memory_curve_decode((const uint8_t *)bytes.text, bytes.length, &read));
	assert_int_equal(read.num_points, 9);
	assert_memory_equal(read.points, curve.points, 9 * sizeof(*read.points));
	// Earlier than the one before, more at the end than ever, and half a point.
	const uint64_t words[] = {5, 9, 9, 4, 9, 9, 6, 1, 2, 7, 3, 3, 8, 1};
	assert_no_error(memory_curve_decode((const uint8_t *)words, sizeof(words), &bad));
	assert_int_equal(bad.num_points, 2);
	assert_int_equal(bad.points[1].time_ns, 7);
	for (size_t i = 0; i < 100; i++)
		assert_no_error(
			memory_curve_decode((const uint8_t *)bytes.text, bytes.length, &bad));
	assert_int_equal(bad.num_points, MEMORY_CURVE_MAX_POINTS);
}

int memory_curve_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_peak_is_exact_however_long_it_takes),
		cmocka_unit_test(test_what_is_left_holds_until_the_next_point),
		cmocka_unit_test(test_bytes_of_a_file_are_checked),
	};
	return cmocka_run_group_tests_name("memory_curve", tests, NULL, NULL);
}
