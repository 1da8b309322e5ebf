// SPDX-License-Identifier: Apache-2.0

#include "source/memory/memory_weight.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "source/memory/preload/byte_draw.h"

enum { PERIOD = 65536 };

static void logarithms_are_those_of_libm(void **state)
{
	for (double value = 1e-16; value <= 1; value *= 1.01)
		assert_true(fabs(byte_draw_log(value) - log(value)) < 1e-12);
	assert_true(byte_draw_log(1) == 0);
}

static void large_allocations_stand_for_themselves(void **state)
{
	struct memory_carry carry = {0};
	struct memory_weight weight = memory_weight_of((uint64_t)PERIOD * 100, PERIOD, &carry);
	assert_int_equal(weight.bytes, PERIOD * 100);
	assert_int_equal(weight.count, 1);
}

static void a_small_one_stands_for_a_period(void **state)
{
	struct memory_carry carry = {0};
	struct memory_weight weight = memory_weight_of(8, PERIOD, &carry);
	// s / (1 - exp(-s / p)) = p + s / 2 + ...
	assert_int_equal(weight.bytes, PERIOD + 4);
	assert_int_equal(weight.count, PERIOD / 8);
}

static void rounding_is_carried_over(void **state)
{
	struct memory_carry carry = {0};
	uint64_t sum = 0;
	for (int i = 0; i < 1000; i++)
		sum += memory_weight_of(PERIOD, PERIOD, &carry).count;
	assert_int_equal(sum, (uint64_t)(1000 / -expm1(-1)));
}

static void sizes_from_outside_do_no_harm(void **state)
{
	struct memory_carry carry = {0};
	assert_int_equal(memory_weight_of(UINT64_MAX, 1, &carry).count, 1);
	assert_true(memory_weight_of(UINT64_MAX, UINT64_MAX, &carry).bytes <= UINT64_C(1) << 60);
	assert_true(memory_weight_of(0, UINT64_MAX, &carry).bytes <= UINT64_C(1) << 60);
}

/** All sizes together: the sums of weights are those of the allocations. */
static void sums_are_right_for_every_size(void **state)
{
	static const uint64_t sizes[] = {1, 24, 500, 4096, 30000, 65536, 200000, 1000000};
	enum { TIMES = 20000 };
	uint64_t random = byte_draw_seed(1, 2), left = byte_draw_next(&random, PERIOD);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct memory_carry carry = {0};
		double bytes = 0, count = 0, squares = 0;
		uint64_t num = TIMES * (1 + PERIOD / sizes[i] / 16);
		for (uint64_t j = 0; j < num; j++) {
			if (sizes[i] <= left) {
				left -= sizes[i];
				continue;
			}
			struct memory_weight weight = memory_weight_of(sizes[i], PERIOD, &carry);
			bytes += (double)weight.bytes;
			count += (double)weight.count;
			squares += (double)weight.bytes * (double)weight.bytes;
			left = byte_draw_next(&random, PERIOD);
		}
		double truth = (double)num * (double)sizes[i];
		assert_true(fabs(bytes - truth) < 5 * sqrt(squares) + 1);
		assert_true(fabs(count - (double)num) < 5 * sqrt(squares) / (double)sizes[i] + 1);
	}
}

int memory_weight_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(logarithms_are_those_of_libm),
		cmocka_unit_test(large_allocations_stand_for_themselves),
		cmocka_unit_test(a_small_one_stands_for_a_period),
		cmocka_unit_test(rounding_is_carried_over),
		cmocka_unit_test(sizes_from_outside_do_no_harm),
		cmocka_unit_test(sums_are_right_for_every_size),
	};
	return cmocka_run_group_tests_name("memory_weight", tests, NULL, NULL);
}
