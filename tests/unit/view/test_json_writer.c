// SPDX-License-Identifier: Apache-2.0
#include "view/json/json_writer.h"

#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/capture.h"

#include <float.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

/** Finish the document, which must go well, and give what was written. */
static char *finish(struct json_writer *json)
{
	assert_null(json_finish(json, "test"));
	return capture_end(json->stream);
}

static void assert_text(const char *text, const char *expected)
{
	struct json_writer json = json_writer_create(capture_begin());
	json_text(&json, text);
	_cleanup_free_ char *written = finish(&json);
	assert_string_equal(written, expected);
}

static void test_document(void **state)
{
	struct json_writer json = json_writer_create(capture_begin());
	json_begin_object(&json);
	json_key(&json, "Version");
	json_begin_array(&json);
	json_begin_object(&json);
	json_key(&json, "Component");
	json_text(&json, "wperf");
	json_key(&json, "big");
	json_u64(&json, UINT64_MAX);
	json_end_object(&json);
	json_i64(&json, INT64_MIN);
	json_bool(&json, true);
	json_bool(&json, false);
	json_end_array(&json);
	json_key(&json, "none");
	json_begin_object(&json);
	json_end_object(&json);
	json_key(&json, "empty");
	json_begin_array(&json);
	json_end_array(&json);
	json_key(&json, "Time_elapsed");
	json_double(&json, 1.046);
	json_end_object(&json);
	_cleanup_free_ char *text = finish(&json);
	assert_string_equal(text,
			    "{\"Version\":[{\"Component\":\"wperf\",\"big\":18446744073709551615},"
			    "-9223372036854775808,true,false],\"none\":{},\"empty\":[],"
			    "\"Time_elapsed\":1.046}\n");
}

static void test_one_document_per_line(void **state)
{
	struct json_writer json = json_writer_create(capture_begin());
	json_u64(&json, 1);
	assert_null(json_finish(&json, "test"));
	json_begin_array(&json);
	json_end_array(&json);
	_cleanup_free_ char *text = finish(&json);
	assert_string_equal(text, "1\n[]\n");
}

static void test_deep_nesting(void **state)
{
	enum { DEPTH = 10000 };
	struct json_writer json = json_writer_create(capture_begin());
	for (int i = 0; i < DEPTH; i++)
		json_begin_array(&json);
	for (int i = 0; i < DEPTH; i++)
		json_end_array(&json);
	_cleanup_free_ char *text = finish(&json);
	assert_int_equal(strlen(text), 2 * DEPTH + 1);
}

static void test_escapes(void **state)
{
	static const struct {
		const char *text, *expected;
	} cases[] = {
		{"", "\"\"\n"},
		{"operator\"\"_x", "\"operator\\\"\\\"_x\"\n"},
		{"C:\\dir\\a.c", "\"C:\\\\dir\\\\a.c\"\n"},
		{"\b\f\n\r\t", "\"\\b\\f\\n\\r\\t\"\n"},
		{"\x01\x1b[31m\x1f", "\"\\u0001\\u001b[31m\\u001f\"\n"},
		{"\x7f", "\"\\u007f\"\n"},
		{"</script>", "\"</script>\"\n"},
		{"gr\xc3\xb6\xc3\x9f\x65", "\"gr\\u00f6\\u00dfe\"\n"},
		{"\xc2\x9b", "\"\\u009b\"\n"},
		{"\xe2\x80\xa8", "\"\\u2028\"\n"},
		{"\xef\xbf\xbe\xef\xbf\xbf", "\"\\ufffe\\uffff\"\n"},
		{"\xf0\x9f\x98\x80", "\"\\ud83d\\ude00\"\n"},
		{"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", "\"\\ud800\\udc00\\udbff\\udfff\"\n"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_text(cases[i].text, cases[i].expected);
}

static void test_bytes_that_are_not_utf8(void **state)
{
	assert_text("a\xff z", "\"a\\ufffd z\"\n");
	assert_text("\x80\xc3", "\"\\ufffd\\ufffd\"\n");
	assert_text("\xc0\xaf", "\"\\ufffd\\ufffd\"\n");
	assert_text("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"\n");
	assert_text("\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"\n");
	assert_text("\xe2\x82\"", "\"\\ufffd\\ufffd\\\"\"\n");
}

static void test_keys_are_escaped(void **state)
{
	struct json_writer json = json_writer_create(capture_begin());
	json_begin_object(&json);
	json_key(&json, "a\"\\\n\xff");
	json_u64(&json, 0);
	json_end_object(&json);
	_cleanup_free_ char *text = finish(&json);
	assert_string_equal(text, "{\"a\\\"\\\\\\n\\ufffd\":0}\n");
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

/** Bytes of every kind, mostly those that UTF-8 and JSON treat specially. */
static void fill_random(char *text, size_t length, uint32_t *seed)
{
	static const uint8_t special[] = {0x01, 0x1b, 0x1f, '"',  '\\', 0x7f, 0x80, 0xbf, 0xc0,
					  0xc2, 0xe0, 0xed, 0xa0, 0xef, 0xf0, 0x90, 0xf4, 0xff};
	for (size_t i = 0; i < length; i++) {
		uint32_t random = next_random(seed);
		uint8_t any = (uint8_t)(1 + (random >> 8) % 255);
		text[i] = (char)(random & 1 ? any : special[(random >> 8) % sizeof(special)]);
	}
	text[length] = '\0';
}

/** A strict reader takes it, and it is printable ASCII throughout. */
static void assert_valid(const char *written)
{
	json_t *value = json_loads(written, JSON_DECODE_ANY, NULL);
	if (!value)
		print_error("not JSON: %s\n", written);
	assert_non_null(value);
	json_decref(value);
	for (const char *c = written; *c != '\n'; c++)
		assert_in_range((uint8_t)*c, ' ', '~');
}

static void test_any_bytes_give_valid_json(void **state)
{
	uint32_t seed = 1;
	for (int i = 0; i < 2000; i++) {
		char text[41];
		fill_random(text, next_random(&seed) % sizeof(text), &seed);
		struct json_writer json = json_writer_create(capture_begin());
		json_text(&json, text);
		_cleanup_free_ char *written = finish(&json);
		assert_valid(written);
	}
}

static void assert_double(double value, const char *expected)
{
	struct json_writer json = json_writer_create(capture_begin());
	json_double(&json, value);
	_cleanup_free_ char *written = finish(&json);
	assert_string_equal(written, expected);
}

static void test_doubles(void **state)
{
	assert_double(68.906249, "68.9062\n");
	assert_double(100, "100\n");
	assert_double(0, "0\n");
	assert_double(-0.25, "-0.25\n");
	assert_double(1e20, "1e+20\n");
	assert_double(1.5e-7, "1.5e-07\n");
	assert_double(DBL_MAX, "1.79769e+308\n");
	assert_double(NAN, "null\n");
	assert_double(INFINITY, "null\n");
	assert_double(-INFINITY, "null\n");
}

static void test_fixed_decimals(void **state)
{
	struct json_writer json = json_writer_create(capture_begin());
	json_begin_array(&json);
	json_fixed(&json, 1234567.1234567, 6);
	json_fixed(&json, 2, 2);
	json_fixed(&json, -INFINITY, 2);
	json_end_array(&json);
	_cleanup_free_ char *written = finish(&json);
	assert_string_equal(written, "[1234567.123457,2.00,null]\n");
}

static void test_no_markup_in_html(void **state)
{
	struct json_writer json = json_writer_create(capture_begin());
	json.in_html = true;
	json_begin_object(&json);
	json_key(&json, "<k>");
	json_text(&json, "</script><!--");
	json_end_object(&json);
	_cleanup_free_ char *written = finish(&json);
	assert_string_equal(written, "{\"\\u003ck>\":\"\\u003c/script>\\u003c!--\"}\n");
	assert_text("<b>", "\"<b>\"\n");
}

static void test_unended_document_is_an_error(void **state)
{
	struct json_writer json = json_writer_create(capture_begin());
	json_begin_object(&json);
	struct error *err = json_finish(&json, "test");
	assert_non_null(err);
	assert_string_equal(err->message, "the JSON for test ends inside an object or array");
	error_destroy(err);
	fclose(json.stream);
}

static void test_full_disk_is_an_error(void **state)
{
	FILE *full = fopen("/dev/full", "w");
	if (!full)
		skip();
	struct json_writer json = json_writer_create(full);
	json_text(&json, "lost");
	struct error *err = json_finish(&json, "test");
	assert_non_null(err);
	assert_string_equal(err->message, "cannot write test: No space left on device");
	error_destroy(err);
	fclose(full);
}

static void test_earlier_write_error_is_not_forgotten(void **state)
{
	FILE *full = fopen("/dev/full", "w");
	if (!full)
		skip();
	setvbuf(full, NULL, _IONBF, 0);
	struct json_writer json = json_writer_create(full);
	json_text(&json, "lost");
	struct error *err = json_finish(&json, "test");
	assert_non_null(err);
	error_destroy(err);
	fclose(full);
}

int json_writer_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_document),
		cmocka_unit_test(test_one_document_per_line),
		cmocka_unit_test(test_deep_nesting),
		cmocka_unit_test(test_escapes),
		cmocka_unit_test(test_bytes_that_are_not_utf8),
		cmocka_unit_test(test_keys_are_escaped),
		cmocka_unit_test(test_any_bytes_give_valid_json),
		cmocka_unit_test(test_doubles),
		cmocka_unit_test(test_fixed_decimals),
		cmocka_unit_test(test_no_markup_in_html),
		cmocka_unit_test(test_unended_document_is_an_error),
		cmocka_unit_test(test_full_disk_is_an_error),
		cmocka_unit_test(test_earlier_write_error_is_not_forgotten),
	};
	return cmocka_run_group_tests_name("json_writer", tests, NULL, NULL);
}
