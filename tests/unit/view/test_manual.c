// SPDX-License-Identifier: Apache-2.0
#include "view/text/manual.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "view/json/json_writer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/capture.h"

#define TEN   "0123456789"
#define FIFTY TEN TEN TEN TEN TEN
#define UMLAUT_TEN \
	"\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4"
#define INDENT "    "

static void assert_field(const char *text, const char *expected)
{
	FILE *stream = capture_begin();
	manual_print_field("NAME", text, stream);
	_cleanup_free_ char *printed = capture_end(stream);
	assert_string_equal(printed, expected);
}

static void test_short_text(void **state)
{
	assert_field("ld_spec - Operation speculatively executed, load",
		     "NAME\n    ld_spec - Operation speculatively executed, load\n");
}

static void test_wrapping(void **state)
{
	static const struct {
		const char *what, *text, *expected;
	} cases[] = {
		{"77 columns fit", FIFTY TEN TEN " 123456", INDENT FIFTY TEN TEN " 123456\n"},
		{"78 do not", FIFTY TEN TEN " 1234567",
		 INDENT FIFTY TEN TEN "\n" INDENT "1234567\n"},
		{"one word of 77", FIFTY TEN TEN "1234567", INDENT FIFTY TEN TEN "1234567\n"},
		{"a longer word stands alone", "a " FIFTY FIFTY " b c",
		 INDENT "a\n" INDENT FIFTY FIFTY "\n" INDENT "b c\n"},
		{"a longer word at the start", FIFTY FIFTY " b",
		 INDENT FIFTY FIFTY "\n" INDENT "b\n"},
		{"an umlaut is one column", FIFTY UMLAUT_TEN UMLAUT_TEN " 12345\xc3\xa4 7",
		 INDENT FIFTY UMLAUT_TEN UMLAUT_TEN " 12345\xc3\xa4\n" INDENT "7\n"},
		{"blanks at the break go", FIFTY TEN "     " FIFTY,
		 INDENT FIFTY TEN "\n" INDENT FIFTY "\n"},
		{"many lines", FIFTY " " FIFTY " " TEN " " TEN " " FIFTY,
		 INDENT FIFTY "\n" INDENT FIFTY " " TEN " " TEN "\n" INDENT FIFTY "\n"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		FILE *stream = capture_begin();
		manual_print_field("D", cases[i].text, stream);
		_cleanup_free_ char *printed = capture_end(stream);
		print_message("%s\n", cases[i].what);
		assert_string_equal(printed + 2, cases[i].expected);
	}
}

static void test_blanks_stay_inside_a_line(void **state)
{
	assert_field("a   b", "NAME\n    a   b\n");
	assert_field("  * item", "NAME\n      * item\n");
	assert_field("end   ", "NAME\n    end\n");
	assert_field("a\tb", "NAME\n    a b\n");
}

static void test_line_ends_stay(void **state)
{
	assert_field("one\ntwo\n\nthree", "NAME\n    one\n    two\n\n    three\n");
	assert_field("\nafter", "NAME\n\n    after\n");
	assert_field("last\n", "NAME\n    last\n");
	assert_field("last\n\n", "NAME\n    last\n\n");
}

static void test_text_without_words(void **state)
{
	assert_field("", "NAME\n\n");
	assert_field("   ", "NAME\n\n");
	assert_field("\n", "NAME\n\n");
}

static void test_control_characters_are_shown(void **state)
{
	assert_field("a\x1b[2Jb\xff", "NAME\n    a\\x1b[2Jb\xef\xbf\xbd\n");
}

static void test_json(void **state)
{
	FILE *stream = capture_begin();
	struct json_writer json = json_writer_create(stream);
	json_begin_array(&json);
	manual_write_json_field("CPU", "neoverse-n1", &json);
	manual_write_json_field("DESCRIPTION", FIFTY " " FIFTY "\n\"x\"", &json);
	json_end_array(&json);
	assert_null(json_finish(&json, "test"));
	_cleanup_free_ char *text = capture_end(stream);
	assert_string_equal(text, "[{\"Field_Type\":\"CPU\",\"Result\":\"neoverse-n1\"},"
				  "{\"Field_Type\":\"DESCRIPTION\",\"Result\":\"" FIFTY " " FIFTY
				  "\\n\\\"x\\\"\"}]\n");
}

int manual_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_short_text),
		cmocka_unit_test(test_wrapping),
		cmocka_unit_test(test_blanks_stay_inside_a_line),
		cmocka_unit_test(test_line_ends_stay),
		cmocka_unit_test(test_text_without_words),
		cmocka_unit_test(test_control_characters_are_shown),
		cmocka_unit_test(test_json),
	};
	return cmocka_run_group_tests_name("manual", tests, NULL, NULL);
}
