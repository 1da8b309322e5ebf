// SPDX-License-Identifier: Apache-2.0

#include "catalog/core_list.h"

#include "base/container/array.h"
#include "base/text/string_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

#define BAD_FORMAT                                                                           \
	"option -c format not supported, use comma separated list of integers, or range of " \
	"integers"

static void assert_cores(const char *text, const char *expected)
{
	_cleanup_(core_list_deinit) struct core_list list = CORE_LIST_INIT;
	assert_no_error(core_list_parse(text, 10, &list));
	_cleanup_(string_builder_deinit) struct string_builder cores = STRING_BUILDER_INIT;
	for (size_t i = 0; i < list.num_cores; i++)
		string_builder_appendf(&cores, "%s%u", i ? "," : "", list.cores[i]);
	assert_string_equal(string_builder_peek(&cores), expected);
}

static void cores_are_sorted_and_each_once(void **state)
{
	assert_cores("3", "3");
	assert_cores("0,3-5,9-7", "0,3,4,5,7,8,9");
	assert_cores("5,1,5,4-6", "1,4,5,6");
	assert_cores("2-2", "2");
	assert_cores("007", "7");
	assert_cores("0-9", "0,1,2,3,4,5,6,7,8,9");
}

static void a_range_over_all_of_a_byte_ends(void **state)
{
	_cleanup_(core_list_deinit) struct core_list list = CORE_LIST_INIT;
	assert_no_error(core_list_parse("0-255", 256, &list));
	assert_int_equal(list.num_cores, 256);
	assert_int_equal(list.cores[255], 255);
}

static void other_words_are_refused(void **state)
{
	static const char *const cases[] = {
		"",      ",", "1,", ",1", "1,,2", "-",   "1-", "-1",
		"1-2-3", "a", "1 ", " 1", "0x1",  "1;2", "+1",
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct core_list list = CORE_LIST_INIT;
		assert_error(core_list_parse(cases[i], 10, &list), ERROR_USAGE, BAD_FORMAT);
		assert_null(list.cores);
	}
}

static void cores_that_are_not_there_are_refused(void **state)
{
	struct core_list list = CORE_LIST_INIT;
	assert_error(core_list_parse("10", 10, &list), ERROR_USAGE,
		     "core index 10 not allowed. Use 0-9, see option -c <n>");
	assert_error(core_list_parse("0-10", 10, &list), ERROR_USAGE,
		     "core index 10 not allowed. Use 0-9, see option -c <n>");
	// Not core 0, as it would be in 8 or 32 bits.
	assert_error(core_list_parse("256", 10, &list), ERROR_USAGE,
		     "core index 256 not allowed. Use 0-9, see option -c <n>");
	assert_error(core_list_parse("4294967296", 10, &list), ERROR_USAGE,
		     "core index 4294967296 not allowed. Use 0-9, see option -c <n>");
	assert_error(core_list_parse("1,99999999999999999999", 10, &list), ERROR_USAGE,
		     "core index 99999999999999999999 not allowed. Use 0-9, see option -c <n>");
}

int core_list_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cores_are_sorted_and_each_once),
		cmocka_unit_test(a_range_over_all_of_a_byte_ends),
		cmocka_unit_test(other_words_are_refused),
		cmocka_unit_test(cores_that_are_not_there_are_refused),
	};
	return cmocka_run_group_tests_name("core_list", tests, NULL, NULL);
}
