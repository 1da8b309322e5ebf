// SPDX-License-Identifier: Apache-2.0

#include "base/text/number.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/container/array.h"

#include <string.h>

enum { SENTINEL = 77 };

struct number_case {
	const char *text;
	enum number_result result;
	uint64_t value;
};

static enum number_result parse_hex(const char *text, size_t length, uint64_t *ret)
{
	return number_parse_hex(text, length, false, ret);
}

static enum number_result parse_prefixed_hex(const char *text, size_t length, uint64_t *ret)
{
	return number_parse_hex(text, length, true, ret);
}

static void check(const struct number_case *cases, size_t num_cases,
		  enum number_result (*parse)(const char *text, size_t length, uint64_t *ret))
{
	for (size_t i = 0; i < num_cases; i++) {
		uint64_t value = SENTINEL;
		enum number_result result = parse(cases[i].text, strlen(cases[i].text), &value);
		if (result != cases[i].result)
			fail_msg("'%s' gives %d", cases[i].text, result);
		assert_int_equal(value, result == NUMBER_OK ? cases[i].value : SENTINEL);
	}
}

static const struct number_case any_base[] = {
	{"0", NUMBER_OK, 0},
	{"42", NUMBER_OK, 42},
	{"017", NUMBER_OK, 15},
	{"00", NUMBER_OK, 0},
	{"0x1f", NUMBER_OK, 31},
	{"0X1F", NUMBER_OK, 31},
	{"0x0000000000000000000011", NUMBER_OK, 17},
	{"18446744073709551615", NUMBER_OK, UINT64_MAX},
	{"0xffffffffffffffff", NUMBER_OK, UINT64_MAX},
	{"01777777777777777777777", NUMBER_OK, UINT64_MAX},
	{"18446744073709551616", NUMBER_RANGE, 0},
	{"0x10000000000000000", NUMBER_RANGE, 0},
	{"02000000000000000000000", NUMBER_RANGE, 0},
	{"99999999999999999999999999999999", NUMBER_RANGE, 0},
	{"99999999999999999999999999999999x", NUMBER_INVALID, 0},
	{"", NUMBER_INVALID, 0},
	{"0x", NUMBER_INVALID, 0},
	{"x1", NUMBER_INVALID, 0},
	{"1f", NUMBER_INVALID, 0},
	{"08", NUMBER_INVALID, 0},
	{"+1", NUMBER_INVALID, 0},
	{"-1", NUMBER_INVALID, 0},
	{" 1", NUMBER_INVALID, 0},
	{"1 ", NUMBER_INVALID, 0},
	{"1.5", NUMBER_INVALID, 0},
	{"0x-1", NUMBER_INVALID, 0},
	{"0x0x1", NUMBER_INVALID, 0},
	{"1e3", NUMBER_INVALID, 0},
	{"\xb2", NUMBER_INVALID, 0},
};

static const struct number_case plain_hex[] = {
	{"0", NUMBER_OK, 0},
	{"1f", NUMBER_OK, 31},
	{"1F", NUMBER_OK, 31},
	{"0011", NUMBER_OK, 17},
	{"deadBEEF", NUMBER_OK, 0xdeadbeef},
	{"ffffffffffffffff", NUMBER_OK, UINT64_MAX},
	{"10000000000000000", NUMBER_RANGE, 0},
	{"", NUMBER_INVALID, 0},
	{"0x1f", NUMBER_INVALID, 0},
	{"g", NUMBER_INVALID, 0},
	{"-1", NUMBER_INVALID, 0},
	{"1h", NUMBER_INVALID, 0},
};

static const struct number_case prefixed_hex[] = {
	{"0x1f", NUMBER_OK, 31},
	{"0X1f", NUMBER_OK, 31},
	{"1f", NUMBER_OK, 31},
	{"0", NUMBER_OK, 0},
	{"0x", NUMBER_INVALID, 0},
	{"x1f", NUMBER_INVALID, 0},
	{"", NUMBER_INVALID, 0},
	{"0x0x1", NUMBER_INVALID, 0},
	{"0x10000000000000000", NUMBER_RANGE, 0},
};

static const struct number_case decimal[] = {
	{"0", NUMBER_OK, 0},
	{"007", NUMBER_OK, 7},
	{"123", NUMBER_OK, 123},
	{"09", NUMBER_OK, 9},
	{"18446744073709551615", NUMBER_OK, UINT64_MAX},
	{"18446744073709551616", NUMBER_RANGE, 0},
	{"", NUMBER_INVALID, 0},
	{"0x1", NUMBER_INVALID, 0},
	{"1a", NUMBER_INVALID, 0},
	{"-0", NUMBER_INVALID, 0},
	{"1,000", NUMBER_INVALID, 0},
};

static void test_any_base(void **state)
{
	check(any_base, ARRAY_SIZE(any_base), number_parse);
}

static void test_hex(void **state)
{
	check(plain_hex, ARRAY_SIZE(plain_hex), parse_hex);
	check(prefixed_hex, ARRAY_SIZE(prefixed_hex), parse_prefixed_hex);
}

static void test_decimal(void **state)
{
	check(decimal, ARRAY_SIZE(decimal), number_parse_decimal);
}

static void test_only_the_given_length_counts(void **state)
{
	static const char digits[3] = {'1', '2', '3'};
	uint64_t value;
	assert_int_equal(number_parse(digits, 3, &value), NUMBER_OK);
	assert_int_equal(value, 123);
	assert_int_equal(number_parse("12,13", 2, &value), NUMBER_OK);
	assert_int_equal(value, 12);
	assert_int_equal(number_parse("0x1", 2, &value), NUMBER_INVALID);
	assert_int_equal(number_parse("1\0002", 3, &value), NUMBER_INVALID);
}

int number_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_base),
		cmocka_unit_test(test_hex),
		cmocka_unit_test(test_decimal),
		cmocka_unit_test(test_only_the_given_length_counts),
	};
	return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
