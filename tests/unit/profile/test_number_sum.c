// SPDX-License-Identifier: Apache-2.0

#include "profile/values/number_sum.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void numbers_are_summed_up(void **state)
{
	struct number_sum sum = {0};
	char text[NUMBER_SUM_TEXT];
	number_sum_add(&sum, (uint64_t)-5, false, 2);
	number_sum_add(&sum, 0, false, 1);
	number_sum_add(&sum, 1, false, 1);
	number_sum_add(&sum, 4096, false, 3);
	assert_int_equal(sum.count, 7);
	assert_int_equal(sum.least, -5);
	assert_int_equal(sum.greatest, 4096);
	assert_int_equal(sum.num_negative, 2);
	assert_int_equal(sum.buckets[0], 1);
	assert_int_equal(sum.buckets[1], 1);
	assert_int_equal(sum.buckets[13], 3);
	number_sum_write_total(&sum, text);
	assert_string_equal(text, "12,279");
	assert_true(number_sum_mean(&sum) > 1754 && number_sum_mean(&sum) < 1755);
}

static void sums_do_not_overflow(void **state)
{
	struct number_sum sum = {0};
	char text[NUMBER_SUM_TEXT];
	for (unsigned i = 0; i < 4; i++)
		number_sum_add(&sum, UINT64_MAX, true, 1);
	number_sum_write_total(&sum, text);
	assert_string_equal(text, "73,786,976,294,838,206,460");
	assert_int_equal(sum.buckets[64], 4);
	assert_int_equal((uint64_t)sum.least, UINT64_MAX);
	struct number_sum negative = {0};
	number_sum_add(&negative, (uint64_t)INT64_MIN, false, 3);
	number_sum_write_total(&negative, text);
	assert_string_equal(text, "-27,670,116,110,564,327,424");
}

static void numbers_have_their_sign(void **state)
{
	char text[NUMBER_SUM_TEXT];
	number_sum_write(UINT64_MAX, true, text);
	assert_string_equal(text, "18,446,744,073,709,551,615");
	number_sum_write(UINT64_MAX, false, text);
	assert_string_equal(text, "-1");
	number_sum_write(0, false, text);
	assert_string_equal(text, "0");
	number_sum_write(1000, false, text);
	assert_string_equal(text, "1,000");
}

int number_sum_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_summed_up),
		cmocka_unit_test(sums_do_not_overflow),
		cmocka_unit_test(numbers_have_their_sign),
	};
	return cmocka_run_group_tests_name("number_sum", tests, NULL, NULL);
}
