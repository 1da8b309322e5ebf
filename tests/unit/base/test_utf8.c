// SPDX-License-Identifier: Apache-2.0
#include "base/text/utf8.h"

#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_code_points(void **state)
{
	static const struct {
		const char *text;
		uint32_t code_point;
		int length;
	} cases[] = {
		{"a", 'a', 1},
		{"\x01", 1, 1},
		{"\x7f", 0x7f, 1},
		{"\xc2\x80", 0x80, 2},
		{"\xdf\xbf", 0x7ff, 2},
		{"\xe0\xa0\x80", 0x800, 3},
		{"\xed\x9f\xbf", 0xd7ff, 3},
		{"\xee\x80\x80", 0xe000, 3},
		{"\xef\xbf\xbd", 0xfffd, 3},
		{"\xef\xbf\xbf", 0xffff, 3}, /* no character, but well formed */
		{"\xf0\x90\x80\x80", 0x10000, 4},
		{"\xf4\x8f\xbf\xbf", 0x10ffff, 4},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *text = cases[i].text;
		assert_int_equal(utf8_next(&text), cases[i].code_point);
		assert_int_equal(text - cases[i].text, cases[i].length);
		char bytes[UTF8_MAX_BYTES];
		assert_int_equal(utf8_encode(cases[i].code_point, bytes), cases[i].length);
		assert_memory_equal(bytes, cases[i].text, cases[i].length);
	}
}

static void test_invalid_bytes_go_one_by_one(void **state)
{
	static const char *const cases[] = {
		"\x80",             /* continuation without start */
		"\xc2",             /* ends too early */
		"\xe2\x82",         /* */
		"\xf0\x9f\x98",     /* */
		"\xc2z",            /* broken off */
		"\xc0\x80",         /* overlong */
		"\xe0\x9f\xbf",     /* */
		"\xf0\x8f\xbf\xbf", /* */
		"\xed\xa0\x80",     /* surrogate */
		"\xed\xbf\xbf",     /* */
		"\xf4\x90\x80\x80", /* beyond U+10FFFF */
		"\xf8\x88\x80\x80\x80",
		"\xfe",
		"\xff",
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *text = cases[i];
		assert_int_equal(utf8_next(&text), UTF8_REPLACEMENT);
		assert_int_equal(text - cases[i], 1);
	}
}

static void test_no_code_points(void **state)
{
	static const uint32_t numbers[] = {0xd800, 0xdfff, 0x110000, UINT32_MAX};
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		char bytes[UTF8_MAX_BYTES];
		assert_int_equal(utf8_encode(numbers[i], bytes), 3);
		assert_memory_equal(bytes, "\xef\xbf\xbd", 3);
	}
}

static void test_sequences_end_with_their_bytes(void **state)
{
	uint32_t code_point = 0;
	assert_int_equal(utf8_sequence("\xe2\x82\xac", 3, &code_point), 3);
	assert_int_equal(code_point, 0x20ac);
	assert_int_equal(utf8_sequence("\xe2\x82\xac", 2, &code_point), 0);
	assert_int_equal(utf8_sequence("a", 0, &code_point), 0);
	assert_int_equal(utf8_sequence("\xff", 1, &code_point), 0);
	assert_int_equal(code_point, 0x20ac);
}

static void test_a_copy_ends_between_code_points(void **state)
{
	char copy[5];
	utf8_copy("abcdef", copy, sizeof(copy));
	assert_string_equal(copy, "abcd");
	utf8_copy("ab\xe2\x82\xac", copy, sizeof(copy));
	assert_string_equal(copy, "ab");
	utf8_copy("a\xe2\x82\xac", copy, sizeof(copy));
	assert_string_equal(copy, "a\xe2\x82\xac");
	utf8_copy("a", copy, 1);
	assert_string_equal(copy, "");
}

int utf8_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_code_points),
		cmocka_unit_test(test_invalid_bytes_go_one_by_one),
		cmocka_unit_test(test_no_code_points),
		cmocka_unit_test(test_sequences_end_with_their_bytes),
		cmocka_unit_test(test_a_copy_ends_between_code_points),
	};
	return cmocka_run_group_tests_name("utf8", tests, NULL, NULL);
}
