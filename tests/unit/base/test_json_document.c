// SPDX-License-Identifier: Apache-2.0

#include "base/text/json_document.h"

#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static struct error *parse(struct json_document *document, const char *text)
{
	return json_document_parse(document, "a.json", text, strlen(text));
}

static void test_a_document(void **state)
{
	_cleanup_(json_document_deinit) struct json_document document = JSON_DOCUMENT_INIT;
	assert_no_error(parse(&document, " {\"b\" : [ ], \"a\": [1, \"two\", {\"c\": null}],\r\n\t"
					 "\"\": {}, \"ok\": true, \"no\": false} "));
	const struct json_value *root = document.root;
	assert_true(json_value_is(root, JSON_VALUE_OBJECT));
	assert_int_equal(root->num_items, 5);
	assert_string_equal(root->members[0].name, "b");
	assert_string_equal(root->members[4].name, "no");
	assert_int_equal(json_value_member(root, "b")->num_items, 0);
	assert_int_equal(json_value_member(root, "")->type, JSON_VALUE_OBJECT);
	assert_int_equal(json_value_member(root, "ok")->type, JSON_VALUE_TRUE);
	assert_int_equal(json_value_member(root, "no")->type, JSON_VALUE_FALSE);
	assert_null(json_value_member(root, "c"));
	const struct json_value *array = json_value_member(root, "a");
	assert_true(json_value_is(array, JSON_VALUE_ARRAY));
	assert_int_equal(array->num_items, 3);
	assert_int_equal(array->items[0].integer, 1);
	assert_string_equal(array->items[1].string, "two");
	assert_true(json_value_is(json_value_member(&array->items[2], "c"), JSON_VALUE_NULL));
}

static void test_members_of_what_has_none(void **state)
{
	_cleanup_(json_document_deinit) struct json_document document = JSON_DOCUMENT_INIT;
	assert_no_error(parse(&document, "[{}]"));
	assert_null(json_value_member(document.root, "a"));
	assert_null(json_value_member(&document.root->items[0], "a"));
	assert_null(json_value_member(NULL, "a"));
	assert_false(json_value_is(NULL, JSON_VALUE_NULL));
}

static void test_many_members_are_found(void **state)
{
	enum { COUNT = 5000 };
	_cleanup_free_ char *text = malloc(COUNT * 16);
	assert_non_null(text);
	size_t length = 0;
	for (unsigned i = 0; i < COUNT; i++)
		length += (size_t)sprintf(text + length, "%c\"k%u\":%u", i ? ',' : '{',
					  i * 7919 % COUNT, i);
	strcpy(text + length, "}");
	_cleanup_(json_document_deinit) struct json_document document = JSON_DOCUMENT_INIT;
	assert_no_error(parse(&document, text));
	assert_int_equal(document.root->num_items, COUNT);
	for (unsigned i = 0; i < COUNT; i++) {
		char name[16];
		snprintf(name, sizeof(name), "k%u", i * 7919 % COUNT);
		assert_string_equal(document.root->members[i].name, name);
		assert_int_equal(json_value_member(document.root, name)->integer, i);
	}
}

static void test_numbers(void **state)
{
	static const struct {
		const char *text;
		int64_t integer;
	} integers[] = {
		{"0", 0},
		{"-0", 0},
		{"-1", -1},
		{"9223372036854775807", INT64_MAX},
		{"-9223372036854775808", INT64_MIN},
	};
	for (size_t i = 0; i < ARRAY_SIZE(integers); i++) {
		_cleanup_(json_document_deinit) struct json_document document = JSON_DOCUMENT_INIT;
		assert_no_error(parse(&document, integers[i].text));
		assert_int_equal(document.root->type, JSON_VALUE_INTEGER);
		assert_true(document.root->integer == integers[i].integer);
	}
	static const struct {
		const char *text;
		double real;
	} reals[] = {
		{"0.5", 0.5},      {"-2.5e-1", -0.25}, {"1e3", 1000},
		{"12E+2", 1200.0}, {"1.0", 1},         {"1e-999", 0},
	};
	for (size_t i = 0; i < ARRAY_SIZE(reals); i++) {
		_cleanup_(json_document_deinit) struct json_document document = JSON_DOCUMENT_INIT;
		assert_no_error(parse(&document, reals[i].text));
		assert_int_equal(document.root->type, JSON_VALUE_REAL);
		assert_true(document.root->real == reals[i].real);
	}
}

static void test_strings(void **state)
{
	static const struct {
		const char *json;
		const char *text;
	} cases[] = {
		{"\"\"", ""},
		{"\"a b\"", "a b"},
		{"\"\x7f\"", "\x7f"},
		{"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t"},
		{"\"x\\u0041\\u00e9y\"", "xA\xc3\xa9y"},
		{"\"\\u20AC\\ud83d\\ude00\"", "\xe2\x82\xac\xf0\x9f\x98\x80"},
		{"\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"",
		 "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(json_document_deinit) struct json_document document = JSON_DOCUMENT_INIT;
		assert_no_error(parse(&document, cases[i].json));
		assert_int_equal(document.root->type, JSON_VALUE_STRING);
		assert_string_equal(document.root->string, cases[i].text);
	}
}

static void test_byte_order_mark(void **state)
{
	_cleanup_(json_document_deinit) struct json_document document = JSON_DOCUMENT_INIT;
	assert_no_error(parse(&document, "\xef\xbb\xbf{}"));
	assert_int_equal(document.root->type, JSON_VALUE_OBJECT);
}

static void test_errors(void **state)
{
	static const struct {
		const char *text;
		const char *message;
	} cases[] = {
		{"", "a.json: line 1, column 1: expected a value, found the end of the file"},
		{"\n {",
		 "a.json: line 2, column 3: expected a name in quotes, found the end of the file"},
		{"{\"a\"}", "a.json: line 1, column 5: expected ':', found '}'"},
		{"{\"a\":1,}", "a.json: line 1, column 8: expected a name in quotes, found '}'"},
		{"{\"a\":1 \"b\":2}", "a.json: line 1, column 8: expected ',' or '}', found '\"'"},
		{"[1,]", "a.json: line 1, column 4: expected a value, found ']'"},
		{"[1 2]", "a.json: line 1, column 4: expected ',' or ']', found '2'"},
		{"[\n[],\n[}]", "a.json: line 3, column 2: expected a value, found '}'"},
		{"{} {}", "a.json: line 1, column 4: expected the end of the file, found '{'"},
		{"\xff\xfe{", "a.json: line 1, column 1: expected a value, found byte 0xff"},
		{"nul", "a.json: line 1, column 1: expected a value, found 'n'"},
		{"True", "a.json: line 1, column 1: expected a value, found 'T'"},
		{"-", "a.json: line 1, column 2: expected a digit, found the end of the file"},
		{"[-x]", "a.json: line 1, column 3: expected a digit, found 'x'"},
		{"[1.]", "a.json: line 1, column 4: expected a digit, found ']'"},
		{"[1e+]", "a.json: line 1, column 5: expected a digit, found ']'"},
		{"[.5]", "a.json: line 1, column 2: expected a value, found '.'"},
		{"[+1]", "a.json: line 1, column 2: expected a value, found '+'"},
		{"[-01]", "a.json: line 1, column 3: a number cannot begin with 0"},
		{"[0x10]", "a.json: line 1, column 3: expected ',' or ']', found 'x'"},
		{"9223372036854775808",
		 "a.json: line 1, column 1: number does not fit into 64 bits"},
		{"-9223372036854775809",
		 "a.json: line 1, column 1: number does not fit into 64 bits"},
		{"[1e999]", "a.json: line 1, column 2: number too large for a double"},
		{"[\"ab", "a.json: line 1, column 2: unterminated string"},
		{"[\"ab\\", "a.json: line 1, column 2: unterminated string"},
		{"[\"ab\\\"]", "a.json: line 1, column 2: unterminated string"},
		{"\"a\nb\"", "a.json: line 1, column 3: control character 0x0a in a string"},
		{"\"\xc3\xa9\xc3\"", "a.json: line 1, column 3: byte 0xc3 is not valid UTF-8"},
		{"\"\xed\xa0\x80\"", "a.json: line 1, column 2: byte 0xed is not valid UTF-8"},
		{"\"\xe2\x82", "a.json: line 1, column 2: byte 0xe2 is not valid UTF-8"},
		{"\"a\\x\"", "a.json: line 1, column 3: unknown escape in a string"},
		{"\"\\u12g4\"", "a.json: line 1, column 2: \\u needs four hexadecimal digits"},
		{"\"\\u123\"", "a.json: line 1, column 2: \\u needs four hexadecimal digits"},
		{"\"\\u0000\"", "a.json: line 1, column 2: \\u0000 is not supported"},
		{"\"\\ud83d\"", "a.json: line 1, column 2: unpaired surrogate"},
		{"\"\\ud83d\\u0041\"", "a.json: line 1, column 2: unpaired surrogate"},
		{"\"\\ude00\"", "a.json: line 1, column 2: unpaired surrogate"},
		{"{\"b\": 1, \"a\": 1,\n \"a\": 2, \"a\": 3, \"b\": 4}",
		 "a.json: line 2, column 2: this name occurs twice in its object"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(json_document_deinit) struct json_document document = JSON_DOCUMENT_INIT;
		assert_error(parse(&document, cases[i].text), ERROR_FAILED, cases[i].message);
		assert_null(document.root);
	}
}

static void test_depth_is_bounded(void **state)
{
	enum { DEPTH = JSON_DOCUMENT_MAX_DEPTH };
	char text[2 * DEPTH + 3] = "";
	memset(text, '[', DEPTH);
	memset(text + DEPTH, ']', DEPTH);
	_cleanup_(json_document_deinit) struct json_document document = JSON_DOCUMENT_INIT;
	assert_no_error(parse(&document, text));
	memset(text, '[', DEPTH + 1);
	memset(text + DEPTH + 1, ']', DEPTH + 1);
	_cleanup_(json_document_deinit) struct json_document deeper = JSON_DOCUMENT_INIT;
	assert_error(
		parse(&deeper, text), ERROR_FAILED,
		"a.json: line 1, column 257: arrays and objects are nested more than 256 deep");
}

static void test_size_is_bounded(void **state)
{
	_cleanup_free_ char *text = malloc(JSON_DOCUMENT_MAX_BYTES + 1);
	assert_non_null(text);
	memset(text, ' ', JSON_DOCUMENT_MAX_BYTES + 1);
	text[0] = '7';
	_cleanup_(json_document_deinit) struct json_document document = JSON_DOCUMENT_INIT;
	assert_no_error(json_document_parse(&document, "a.json", text, JSON_DOCUMENT_MAX_BYTES));
	assert_int_equal(document.root->integer, 7);
	_cleanup_(json_document_deinit) struct json_document larger = JSON_DOCUMENT_INIT;
	assert_error(json_document_parse(&larger, "a.json", text, JSON_DOCUMENT_MAX_BYTES + 1),
		     ERROR_FAILED, "a.json: larger than 16 MB");
	memset(text, '1', 1000);
	text[1] = '.';
	_cleanup_(json_document_deinit) struct json_document longer = JSON_DOCUMENT_INIT;
	assert_error(json_document_parse(&longer, "a.json", text, 1000), ERROR_FAILED,
		     "a.json: line 1, column 1: number longer than 512 characters");
}

static void test_no_bytes(void **state)
{
	_cleanup_(json_document_deinit) struct json_document document = JSON_DOCUMENT_INIT;
	assert_error(json_document_parse(&document, "a.json", NULL, 0), ERROR_FAILED,
		     "a.json: line 1, column 1: expected a value, found the end of the file");
}

static void test_nul_is_no_blank(void **state)
{
	_cleanup_(json_document_deinit) struct json_document document = JSON_DOCUMENT_INIT;
	assert_error(json_document_parse(&document, "a.json", "[1\0]", 4), ERROR_FAILED,
		     "a.json: line 1, column 3: expected ',' or ']', found byte 0x00");
	_cleanup_(json_document_deinit) struct json_document other = JSON_DOCUMENT_INIT;
	assert_error(json_document_parse(&other, "a.json", "\0", 1), ERROR_FAILED,
		     "a.json: line 1, column 1: expected a value, found byte 0x00");
}

int json_document_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_document),
		cmocka_unit_test(test_members_of_what_has_none),
		cmocka_unit_test(test_many_members_are_found),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_byte_order_mark),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_depth_is_bounded),
		cmocka_unit_test(test_size_is_bounded),
		cmocka_unit_test(test_no_bytes),
		cmocka_unit_test(test_nul_is_no_blank),
	};
	return cmocka_run_group_tests_name("json_document", tests, NULL, NULL);
}
