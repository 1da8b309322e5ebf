// SPDX-License-Identifier: Apache-2.0
#include "view/layout/style.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void test_codes_with_color(void **state)
{
	struct style style = {.color = true};
	assert_string_equal(style_code(&style, STYLE_RED), "\033[31m");
	assert_string_equal(style_code(&style, STYLE_BOLD), "\033[1m");
	assert_string_equal(style_code(&style, STYLE_RESET), "\033[0m");
}

static void test_every_part_has_its_own_code(void **state)
{
	struct style style = {.color = true};
	for (int part = STYLE_BOLD; part <= STYLE_RESET; part++) {
		assert_non_null(style_code(&style, part));
		for (int other = STYLE_BOLD; other < part; other++)
			assert_string_not_equal(style_code(&style, part),
						style_code(&style, other));
	}
}

static void test_nothing_without_color(void **state)
{
	struct style style = {.color = false};
	for (int part = STYLE_BOLD; part <= STYLE_RESET; part++)
		assert_string_equal(style_code(&style, part), "");
}

int style_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_codes_with_color),
		cmocka_unit_test(test_every_part_has_its_own_code),
		cmocka_unit_test(test_nothing_without_color),
	};
	return cmocka_run_group_tests_name("style", tests, NULL, NULL);
}
