// SPDX-License-Identifier: Apache-2.0
#include "view/layout/decimal.h"

#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

static void test_grouped(void **state)
{
	static const struct {
		uint64_t value;
		const char *text;
	} cases[] = {
		{0, "0"},
		{7, "7"},
		{999, "999"},
		{1000, "1,000"},
		{32300675, "32,300,675"},
		{123456, "123,456"},
		{UINT64_MAX, "18,446,744,073,709,551,615"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_string_equal(decimal_grouped(cases[i].value).text, cases[i].text);
}

static void test_fixed(void **state)
{
	static const struct {
		double value;
		int decimals;
		const char *text;
	} cases[] = {
		{68.90625, 2, "68.91"},
		{100, 2, "100.00"},
		{0, 3, "0.000"},
		{19.0591, 3, "19.059"},
		{2.5, 0, "2"},
		{-0.5, 1, "-0.5"},
		{1e20, 1, "100000000000000000000.0"},
		{1.5, -3, "2"},
		{NAN, 2, "nan"},
		{-NAN, 2, "nan"},
		{INFINITY, 2, "inf"},
		{-INFINITY, 2, "-inf"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct decimal decimal = decimal_fixed(cases[i].value, cases[i].decimals);
		assert_string_equal(decimal.text, cases[i].text);
	}
}

static void test_longest_fits(void **state)
{
	struct decimal decimal = decimal_fixed(-DBL_MAX, 1000);
	assert_int_equal(strlen(decimal.text), 1 + 309 + 1 + DECIMAL_MAX_DECIMALS);
	assert_int_equal(decimal.text[310], '.');
}

static void test_short(void **state)
{
	static const struct {
		double value;
		const char *text;
	} cases[] = {
		{68.906249, "68.9062"},
		{100, "100"},
		{0, "0"},
		{1.046, "1.046"},
		{1234567, "1.23457e+06"},
		{1e20, "1e+20"},
		{1e-7, "1e-07"},
		{-2.5, "-2.5"},
		{DBL_MAX, "1.79769e+308"},
		{NAN, "nan"},
		{-INFINITY, "-inf"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_string_equal(decimal_short(cases[i].value).text, cases[i].text);
}

static void test_bytes(void **state)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} cases[] = {
		{0, "0 B"},
		{1023, "1023 B"},
		{1024, "1 KiB"},
		{1536, "1.5 KiB"},
		{524288, "512 KiB"},
		{1019778758, "972.5 MiB"},
		{UINT64_C(1023) << 30 | 1, "1023 GiB"},
		{UINT64_MAX, "16 EiB"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(decimal_bytes(cases[i].bytes).text, cases[i].text);
}

static void test_seconds(void **state)
{
	static const struct {
		uint64_t time_ns;
		const char *text;
	} cases[] = {
		{0, "0.000"},
		{1, "0.000000001"},
		{10000, "0.00001"},
		{998333, "0.000998333"},
		{6238770, "0.00623877"},
		{6238774321 / 1000, "0.00623877"},
		{1300000, "0.0013"},
		{500000000, "0.5"},
		{1170000000, "1.17"},
		{1000000000, "1.000"},
		{1046000000, "1.046"},
		{1234567890, "1.23457"},
		{3600000000000, "3600.000"},
		{1234567890123456, "1234567.89"},
		{UINT64_MAX, "18446744073.71"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_string_equal(decimal_seconds(cases[i].time_ns).text, cases[i].text);
}

static bool use_locale_with_comma(void)
{
	static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (setlocale(LC_NUMERIC, names[i]))
			return true;
	}
	return false;
}

static void test_locale_does_not_matter(void **state)
{
	if (!use_locale_with_comma())
		skip();
	struct decimal fixed = decimal_fixed(3.14159, 2);
	struct decimal brief = decimal_short(1234567);
	struct decimal whole = decimal_short(1e20);
	setlocale(LC_NUMERIC, "C");
	assert_string_equal(fixed.text, "3.14");
	assert_string_equal(brief.text, "1.23457e+06");
	assert_string_equal(whole.text, "1e+20");
}

int decimal_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_grouped),
		cmocka_unit_test(test_fixed),
		cmocka_unit_test(test_longest_fits),
		cmocka_unit_test(test_short),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_seconds),
		cmocka_unit_test(test_locale_does_not_matter),
	};
	return cmocka_run_group_tests_name("decimal", tests, NULL, NULL);
}
