// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/value/python_literal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"

static void assert_float(double value, const char *expected)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	python_literal_append_float(&text, value);
	assert_string_equal(string_builder_peek(&text), expected);
}

static void floats_have_their_shortest_digits(void **state)
{
	assert_float(0, "0.0");
	assert_float(-0.0, "-0.0");
	assert_float(1, "1.0");
	assert_float(0.1, "0.1");
	assert_float(-2.0 / 3, "-0.6666666666666666");
	assert_float(1e16, "1e+16");
	assert_float(1e15 + 0.5, "1000000000000000.5");
	assert_float(123456789012345680.0, "1.2345678901234568e+17");
	assert_float(1e-4, "0.0001");
	assert_float(1e-5, "1e-05");
	assert_float(5e-324, "5e-324");
	assert_float(1.7976931348623157e308, "1.7976931348623157e+308");
	assert_float(1200, "1200.0");
	assert_float(INFINITY, "inf");
	assert_float(-INFINITY, "-inf");
	assert_float(NAN, "nan");
}

static void assert_int(const uint32_t *digits, size_t num, bool is_negative, const char *expected)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	python_literal_append_int(&text, digits, num, is_negative);
	assert_string_equal(string_builder_peek(&text), expected);
}

static void ints_may_be_long(void **state)
{
	static const uint32_t three[] = {1, 0, 1}, dirty[] = {UINT32_MAX, 0, 0};
	assert_int(NULL, 0, false, "0");
	assert_int(NULL, 0, true, "0");
	assert_int(three, 1, true, "-1");
	assert_int(three, 3, false, "1152921504606846977"); // 2**60 + 1
	assert_int(dirty, 3, false, "1073741823");          // bits that a digit cannot have
	uint32_t most[PYTHON_LITERAL_MAX_DIGITS];
	memset(most, 0xff, sizeof(most));
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	python_literal_append_int(&text, most, PYTHON_LITERAL_MAX_DIGITS, false);
	assert_int_equal(text.length, 326); // 2**1080 - 1
	assert_memory_equal(text.text, "1295374421166787957", 19);
}

static void assert_str(const uint32_t *characters, size_t num, uint64_t more, const char *expected)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	python_literal_append_str(&text, characters, num, more);
	assert_string_equal(string_builder_peek(&text), expected);
}

static void strings_send_nothing_to_a_terminal(void **state)
{
	static const uint32_t mixed[] = {'a', 0, '\n', 0x1b, '\\', 0xe9, 0x540d, 0x1f40d};
	static const uint32_t hidden[] = {0x202e, 0x9b, 0xdcff, 0xe0001, 0x200b, 0xf0000};
	static const uint32_t single[] = {'\''}, both[] = {'\'', '"'};
	assert_str(mixed, 8, 0, "'a\\x00\\n\\x1b\\\\\u00e9\u540d\U0001f40d'");
	assert_str(hidden, 6, 0, "'\\u202e\\x9b\\udcff\\U000e0001\\u200b\\U000f0000'");
	assert_str(single, 1, 0, "\"'\"");
	assert_str(both, 2, 0, "'\\'\"'");
	assert_str(NULL, 0, 0, "''");
	assert_str(mixed, 1, 41, "'a'... 41 more");
}

static void bytes_are_ascii(void **state)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	python_literal_append_bytes(&text, (const uint8_t *)"a\0\xff'\t", 5, 7);
	assert_string_equal(string_builder_peek(&text), "b\"a\\x00\\xff'\\t\"... 7 more");
}

int python_literal_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(floats_have_their_shortest_digits),
		cmocka_unit_test(ints_may_be_long),
		cmocka_unit_test(strings_send_nothing_to_a_terminal),
		cmocka_unit_test(bytes_are_ascii),
	};
	return cmocka_run_group_tests_name("python_literal", tests, NULL, NULL);
}
