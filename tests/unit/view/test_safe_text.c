// SPDX-License-Identifier: Apache-2.0
#include "view/layout/safe_text.h"

#include "base/cleanup.h"
#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/capture.h"

#include <string.h>

static void test_what_is_printed_and_how_wide_it_is(void **state)
{
	static const struct {
		const char *text, *printed;
		size_t width;
	} cases[] = {
		{"", "", 0},
		{"operator<<(a, b)~", "operator<<(a, b)~", 17},
		{"gr\xc3\xb6\xc3\x9f\x65r \xe2\x82\xac \xf0\x9f\x98\x80",
		 "gr\xc3\xb6\xc3\x9f\x65r \xe2\x82\xac \xf0\x9f\x98\x80", 10},
		{"\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m", 18},
		{"a\tb\nc\rd", "a\\x09b\\x0ac\\x0dd", 16},
		{"\x01\x1f\x7f", "\\x01\\x1f\\x7f", 12},
		{"\xc2\x9b\x32J", "\\x9b2J", 6},       /* C1 introducer, in UTF-8 */
		{"\x9b\x32J", "\xef\xbf\xbd\x32J", 3}, /* and as a byte */
		{"\xc2\xa0", "\xc2\xa0", 1},
		{"a\xff\xfe z", "a\xef\xbf\xbd\xef\xbf\xbd z", 5},
		{"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", 3},
		{"cut \xe2\x82", "cut \xef\xbf\xbd\xef\xbf\xbd", 6},
		{"\xe2\x80\xae\x65xe.txt", "\\u202eexe.txt", 13},
		{"\xe2\x80\xa8\xe2\x81\xa6\xd8\x9c", "\\u2028\\u2066\\u061c", 18},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		size_t length = strlen(cases[i].text);
		FILE *stream = capture_begin();
		safe_text_print(cases[i].text, length, stream);
		_cleanup_free_ char *printed = capture_end(stream);
		assert_string_equal(printed, cases[i].printed);
		assert_int_equal(safe_text_width(cases[i].text, length), cases[i].width);
	}
}

static void test_part_of_a_text(void **state)
{
	FILE *stream = capture_begin();
	safe_text_print("word next", 4, stream);
	_cleanup_free_ char *printed = capture_end(stream);
	assert_string_equal(printed, "word");
	assert_int_equal(safe_text_width("word next", 4), 4);
}

static void test_a_field_has_no_escapes_and_no_separators(void **state)
{
	static const char text[] = "a;b c\x1b[1m\x7f \xc2\x9b \x9b \xe2\x80\xae z\xc3\xb6";
	FILE *stream = capture_begin();
	safe_text_print_field(text, ";", stream);
	_cleanup_free_ char *printed = capture_end(stream);
	assert_string_equal(printed, "a_b c_[1m_ _ \xef\xbf\xbd _ z\xc3\xb6");
}

int safe_text_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_printed_and_how_wide_it_is),
		cmocka_unit_test(test_part_of_a_text),
		cmocka_unit_test(test_a_field_has_no_escapes_and_no_separators),
	};
	return cmocka_run_group_tests_name("safe_text", tests, NULL, NULL);
}
