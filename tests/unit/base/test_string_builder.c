// SPDX-License-Identifier: Apache-2.0

#include "base/text/string_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void test_pieces_become_one_text(void **state)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	string_builder_append(&text, "core ");
	string_builder_appendf(&text, "%u of %s", 3u, "4");
	string_builder_append_char(&text, ',');
	string_builder_append_n(&text, " yes or no", 4);
	assert_string_equal(string_builder_peek(&text), "core 3 of 4, yes");
	_cleanup_free_ char *result = NULL;
	assert_null(string_builder_finish(&text, &result));
	assert_string_equal(result, "core 3 of 4, yes");
	assert_string_equal(string_builder_peek(&text), "");
}

static void test_an_empty_builder_gives_an_empty_text(void **state)
{
	struct string_builder text = STRING_BUILDER_INIT;
	assert_string_equal(string_builder_peek(&text), "");
	_cleanup_free_ char *result = NULL;
	assert_null(string_builder_finish(&text, &result));
	assert_string_equal(result, "");
}

static void test_a_cleared_builder_takes_another_text(void **state)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	string_builder_clear(&text);
	string_builder_append(&text, "a long text");
	string_builder_clear(&text);
	assert_string_equal(string_builder_peek(&text), "");
	string_builder_append(&text, "short");
	assert_string_equal(string_builder_peek(&text), "short");
}

static void test_appending_nothing_is_fine(void **state)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	string_builder_append(&text, "");
	string_builder_append_n(&text, NULL, 0);
	string_builder_appendf(&text, "%s", "");
	assert_string_equal(string_builder_peek(&text), "");
	assert_int_equal(text.length, 0);
}

static void test_long_texts_grow_in_many_steps(void **state)
{
	enum { NUM_PIECES = 5000, PIECE = 6 };
	struct string_builder text = STRING_BUILDER_INIT;
	for (int i = 0; i < NUM_PIECES; i++)
		string_builder_appendf(&text, "%05d ", i);
	_cleanup_free_ char *result = NULL;
	assert_null(string_builder_finish(&text, &result));
	assert_int_equal(strlen(result), NUM_PIECES * PIECE);
	for (int i = 0; i < NUM_PIECES; i++)
		assert_int_equal(atoi(result + PIECE * i), i);
}

static void test_nul_characters_count(void **state)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	string_builder_append_n(&text, "a\0b", 3);
	string_builder_append_char(&text, '\0');
	assert_int_equal(text.length, 4);
	assert_memory_equal(text.text, "a\0b\0", 5);
}

static void test_failure_is_told_once(void **state)
{
	struct string_builder text = STRING_BUILDER_INIT;
	string_builder_append(&text, "begin");
	string_builder_append_n(&text, "", SIZE_MAX);
	string_builder_append(&text, "more");
	string_builder_appendf(&text, "%d", 1);
	string_builder_append_char(&text, 'x');
	string_builder_append_n(&text, "", SIZE_MAX - 6);
	assert_string_equal(string_builder_peek(&text), "begin");
	char *result = NULL;
	assert_ptr_equal(string_builder_finish(&text, &result), &error_no_memory);
	assert_null(result);

	string_builder_append(&text, "again");
	assert_null(string_builder_finish(&text, &result));
	assert_string_equal(result, "again");
	free(result);
}

static void test_failure_at_the_first_append(void **state)
{
	struct string_builder text = STRING_BUILDER_INIT;
	string_builder_append_n(&text, "", SIZE_MAX / 2 + 1);
	assert_true(text.failed);
	assert_string_equal(string_builder_peek(&text), "");
	string_builder_append(&text, "more");
	string_builder_deinit(&text);
	string_builder_deinit(&text);
}

int string_builder_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pieces_become_one_text),
		cmocka_unit_test(test_an_empty_builder_gives_an_empty_text),
		cmocka_unit_test(test_a_cleared_builder_takes_another_text),
		cmocka_unit_test(test_appending_nothing_is_fine),
		cmocka_unit_test(test_long_texts_grow_in_many_steps),
		cmocka_unit_test(test_nul_characters_count),
		cmocka_unit_test(test_failure_is_told_once),
		cmocka_unit_test(test_failure_at_the_first_append),
	};
	return cmocka_run_group_tests_name("string_builder", tests, NULL, NULL);
}
