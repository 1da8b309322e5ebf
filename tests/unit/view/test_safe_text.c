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

#define MARKS "\xcc\x81\xcc\x81\xcc\x81\xcc\x81"

static void test_what_is_printed_and_how_wide_it_is(void **state)
{
	static const struct {
		const char *text, *printed;
		size_t width;
	} cases[] = {
		{"", "", 0},
		{"operator<<(a, b)~", "operator<<(a, b)~", 17},
		{"gr\xc3\xb6\xc3\x9f\x65r \xe2\x82\xac \xf0\x9f\x98\x80",
		 "gr\xc3\xb6\xc3\x9f\x65r \xe2\x82\xac \xf0\x9f\x98\x80", 11},
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
		{"日本語", "日本語", 6},
		{"e\xcc\x81t\xcc\xa3", "e\xcc\x81t\xcc\xa3", 2}, /* combining accents */
		// The ninth mark of a letter, and of another one they are counted anew.
		{"a" MARKS MARKS "b" MARKS, "a" MARKS MARKS "b" MARKS, 2},
		{"a" MARKS MARKS "\xcc\x81" MARKS,
		 "a" MARKS MARKS "\\u0301\\u0301\\u0301\\u0301\\u0301", 31},
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

/** At any number of columns, of any text: head and tail fit, and one more character would not. */
static void test_head_and_tail_fit(void **state)
{
	static const char *const texts[] = {
		"plain",
		"日本語 mixed 한국어",
		"a" MARKS MARKS MARKS "日" MARKS "b",
		"\x1b[1m\xff日\x9b",
		MARKS "begins with marks",
		"",
	};
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		const char *text = texts[i], *end = text + strlen(text);
		for (size_t columns = 0; columns < 45; columns++) {
			const char *head = safe_text_head(text, columns);
			const char *tail = safe_text_tail(text, columns);
			assert_true(safe_text_width(text, (size_t)(head - text)) <= columns);
			assert_true(safe_text_width(tail, (size_t)(end - tail)) <= columns);
			assert_true(head == end || safe_text_head(text, columns + 6 + 2) > head);
			// Marks in front of it, or behind, are left out with their letter.
			assert_true(tail == text || safe_text_tail(text, 1000) < tail);
			assert_true(tail == text || (unsigned char)*tail != 0xcc);
		}
	}
}

int safe_text_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_printed_and_how_wide_it_is),
		cmocka_unit_test(test_part_of_a_text),
		cmocka_unit_test(test_head_and_tail_fit),
		cmocka_unit_test(test_a_field_has_no_escapes_and_no_separators),
	};
	return cmocka_run_group_tests_name("safe_text", tests, NULL, NULL);
}
