// SPDX-License-Identifier: Apache-2.0

#include "catalog/formula.h"

#include "base/container/array.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

enum { MAX_VALUES = 8 };

/** Names stand for their place in the alphabet: a is 1, b is 2, z is 0. */
static double value_of(const char *name)
{
	return name[0] == 'z' ? 0 : name[0] - 'a' + 1;
}

static double evaluate(const char *text)
{
	_cleanup_(formula_destroyp) struct formula *formula = NULL;
	assert_no_error(formula_compile(text, &formula));
	double values[MAX_VALUES];
	assert_true(formula_num_names(formula) <= MAX_VALUES);
	for (size_t i = 0; i < formula_num_names(formula); i++)
		values[i] = value_of(formula_name(formula, i));
	return formula_evaluate(formula, values);
}

static void formulas_follow_the_rules_of_school(void **state)
{
	static const struct {
		const char *text;
		double value;
	} cases[] = {
		{"1", 1},
		{"a", 1},
		{" b ", 2},
		{"1 + 2 * 3", 7},
		{"(1 + 2) * 3", 9},
		{"8 - 4 - 2", 2},
		{"8 / 4 / 2", 1},
		{"8 / (4 / 2)", 4},
		{"2 * 3 / 4", 1.5},
		{"-a + b", 1},
		{"--b", 2},
		{"3 - -b", 5},
		{"-(a + b) * c", -9},
		{"2 * -c", -6},
		{"1.5 * 2", 3},
		{"0.001", 0.001},
		{"123456789012345", 123456789012345.0},
		{"a / b * 1000", 500},
		{"100 * ((1 - a / d) * (b / (c * 5)))", 10},
		{"a_long_name1 + A", -31 + 1},
		{"((((a))))", 1},
		{"a-b", -1},
		{"\ta\t*\tb", 2},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		double value = evaluate(cases[i].text);
		if (fabs(value - cases[i].value) > 1e-12)
			fail_msg("%s = %g, not %g", cases[i].text, value, cases[i].value);
	}
}

static void division_by_zero_makes_it_all_zero(void **state)
{
	static const char *const cases[] = {
		"1 / 0", "a / z",       "1 + a / z",       "a / (b - b)", "-(a / z)",
		"z / z", "a / (z / b)", "0 * (a / z) + 5", "a / -z",      "1 / 0.0",
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_true(evaluate(cases[i]) == 0);
}

static void nobody_sees_nan_infinity_or_minus_zero(void **state)
{
	_cleanup_(formula_destroyp) struct formula *formula = NULL;
	assert_no_error(formula_compile("a * b", &formula));
	static const double cases[][2] = {
		{DBL_MAX, 2}, {INFINITY, 0}, {NAN, 1}, {-DBL_MAX, 2}, {0, -1},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		double value = formula_evaluate(formula, cases[i]);
		assert_true(value == 0);
		assert_false(signbit(value));
	}
}

static void names_are_sorted_and_each_once(void **state)
{
	_cleanup_(formula_destroyp) struct formula *formula = NULL;
	assert_no_error(
		formula_compile("st_spec + ld_spec * ld_spec / (br2 - st_spec) + ld", &formula));
	assert_int_equal(formula_num_names(formula), 4);
	static const char *const expected[] = {"br2", "ld", "ld_spec", "st_spec"};
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++)
		assert_string_equal(formula_name(formula, i), expected[i]);
	const double values[] = {1, 10, 3, 4};
	assert_true(formula_evaluate(formula, values) == 4 + 9.0 / -3 + 10);
}

static void errors_show_formula_and_place(void **state)
{
	static const struct {
		const char *text;
		const char *message;
	} cases[] = {
		{"", "formula '': expected a number, a name or '(' at column 1"},
		{"a +", "formula 'a +': expected a number, a name or '(' at column 4"},
		{"a + * b", "formula 'a + * b': expected a number, a name or '(' at column 5"},
		{"+a", "formula '+a': expected a number, a name or '(' at column 1"},
		{"(a", "formula '(a': expected an operator or ')' at column 3"},
		{"()", "formula '()': expected a number, a name or '(' at column 2"},
		{"a)", "formula 'a)': expected an operator at column 2"},
		{"a b", "formula 'a b': expected an operator at column 3"},
		{"2 a", "formula '2 a': expected an operator at column 3"},
		{"1e5", "formula '1e5': expected an operator at column 2"},
		{"1.", "formula '1.': expected an operator at column 2"},
		{".5", "formula '.5': expected a number, a name or '(' at column 1"},
		{"a % b", "formula 'a % b': expected an operator at column 3"},
		{"1234567890123456",
		 "formula '1234567890123456': number has too many digits at column 1"},
		{"1 + 0.1234567890123456",
		 "formula '1 + 0.1234567890123456': number has too many digits at column 5"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct formula *formula = NULL;
		assert_error(formula_compile(cases[i].text, &formula), ERROR_FAILED,
			     cases[i].message);
		assert_null(formula);
	}
}

/** @levels times "1+1*(" and what closes them: the worst that evaluation has to hold back. */
static void make_nested(char *text, unsigned levels)
{
	*text = '\0';
	for (unsigned i = 0; i < levels; i++)
		strcat(text, "1+1*(");
	strcat(text, "1+1*-1");
	for (unsigned i = 0; i < levels; i++)
		strcat(text, ")");
}

static void depth_is_limited(void **state)
{
	char text[1024];
	make_nested(text, 64);
	assert_true(evaluate(text) == 64);
	make_nested(text, 65);
	struct formula *formula = NULL;
	_cleanup_(error_destroyp) struct error *err = formula_compile(text, &formula);
	assert_non_null(err);
	assert_non_null(strstr(err->message, "too many levels of parentheses"));
}

static void length_is_limited(void **state)
{
	char text[5000];
	memset(text, '-', sizeof(text));
	text[4095] = 'a';
	text[4096] = '\0';
	assert_true(evaluate(text) == -1);
	text[4096] = '1';
	text[4097] = '\0';
	struct formula *formula = NULL;
	assert_error(formula_compile(text, &formula), ERROR_FAILED,
		     "formula '----------------------------------------...' is longer than 4096 "
		     "characters");
}

static void destroying_nothing_is_fine(void **state)
{
	formula_destroy(NULL);
}

int formula_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formulas_follow_the_rules_of_school),
		cmocka_unit_test(division_by_zero_makes_it_all_zero),
		cmocka_unit_test(nobody_sees_nan_infinity_or_minus_zero),
		cmocka_unit_test(names_are_sorted_and_each_once),
		cmocka_unit_test(errors_show_formula_and_place),
		cmocka_unit_test(depth_is_limited),
		cmocka_unit_test(length_is_limited),
		cmocka_unit_test(destroying_nothing_is_fine),
	};
	return cmocka_run_group_tests_name("formula", tests, NULL, NULL);
}
