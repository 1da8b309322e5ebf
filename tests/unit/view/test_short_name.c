// SPDX-License-Identifier: Apache-2.0
#include "view/layout/short_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/container/array.h"
#include "view/layout/safe_text.h"

#include <stdlib.h>
#include <string.h>

static void assert_short(const char *text, size_t max_columns, enum short_name_cut cut,
			 const char *expected)
{
	_cleanup_free_ char *name = short_name_create(text, max_columns, cut);
	assert_non_null(name);
	assert_string_equal(name, expected);
}

static void test_what_fits_stays(void **state)
{
	assert_short("std::vector<int>::push_back", 27, SHORT_NAME_MIDDLE,
		     "std::vector<int>::push_back");
	assert_short("", 1, SHORT_NAME_MIDDLE, "");
}

static void test_template_arguments_go_first(void **state)
{
	assert_short("std::vector<int, std::allocator<int> >::push_back", 30, SHORT_NAME_MIDDLE,
		     "std::vector<…>::push_back");
	assert_short("a<b<c>>::d<e>::f(g<h>)", 21, SHORT_NAME_MIDDLE, "a<…>::d<…>::f(g<…>)");
	assert_short("call<void (*)(int)->int>::run_it", 20, SHORT_NAME_MIDDLE, "call<…>::run_it");
}

static void test_other_angle_brackets_stay(void **state)
{
	assert_short("ns::operator<(ns::a<int, int>)", 28, SHORT_NAME_MIDDLE,
		     "ns::operator<(ns::a<…>)");
	assert_short("<frozen importlib._bootstrap>", 15, SHORT_NAME_MIDDLE, "<fro…bootstrap>");
	assert_short("list<not closed at all", 12, SHORT_NAME_MIDDLE, "lis…d at all");
}

static void test_cut(void **state)
{
	assert_short("/usr/lib/python3/dist-packages/apt/cache.py:12", 16, SHORT_NAME_MIDDLE,
		     "/usr/…ache.py:12");
	assert_short("for item in range(99):", 12, SHORT_NAME_END, "for item in…");
	assert_short("äöüßäöüß", 4, SHORT_NAME_MIDDLE, "ä…üß");
	assert_short("ab", 1, SHORT_NAME_MIDDLE, "…");
}

/** Bytes that are printed as several columns, or are no UTF-8. */
static void test_width_is_kept(void **state)
{
	static const char *const texts[] = {"a\x1b[31mb\x1b[0mcdefgh", "\xff\xfe\xfd\xfc\xfb\xfa",
					    "f<\x1b\x1b\x1b>::g\n\n\n"};
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		for (size_t max = 1; max < 12; max++) {
			_cleanup_free_ char *name =
				short_name_create(texts[i], max, SHORT_NAME_MIDDLE);
			assert_true(safe_text_width(name, strlen(name)) <= max);
		}
	}
}

int short_name_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_fits_stays),
		cmocka_unit_test(test_template_arguments_go_first),
		cmocka_unit_test(test_other_angle_brackets_stay),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_width_is_kept),
	};
	return cmocka_run_group_tests_name("short_name", tests, NULL, NULL);
}
