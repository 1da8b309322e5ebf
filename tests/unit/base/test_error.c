// SPDX-License-Identifier: Apache-2.0

#include "base/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

static void test_message_is_formatted(void **state)
{
	_cleanup_(error_destroyp) struct error *err =
		error_create(ERROR_USAGE, "unknown option '%s' (%d)", "--x", 7);
	assert_int_equal(err->code, ERROR_USAGE);
	assert_string_equal(err->message, "unknown option '--x' (7)");
	assert_null(err->hint);
}

static void test_errno_adds_the_words_of_the_system(void **state)
{
	_cleanup_(error_destroyp) struct error *err =
		error_create_errno(ENOENT, "cannot open '%s'", "a.json");
	assert_int_equal(err->code, ERROR_FAILED);
	assert_string_equal(err->message, "cannot open 'a.json': No such file or directory");
}

static void test_percent_signs_in_arguments_are_text(void **state)
{
	_cleanup_(error_destroyp) struct error *err =
		error_create_errno(EACCES, "cannot open '%s'", "100%s%n");
	assert_string_equal(err->message, "cannot open '100%s%n': Permission denied");
}

static void test_the_last_hint_stays(void **state)
{
	_cleanup_(error_destroyp) struct error *err = error_create(ERROR_FAILED, "no counter");
	assert_ptr_equal(error_with_hint(err, "try %s", "this"), err);
	assert_string_equal(err->hint, "try this");
	error_with_hint(err, "try %d more", 2);
	assert_string_equal(err->hint, "try 2 more");
	assert_string_equal(err->message, "no counter");
}

static void test_long_messages_are_not_cut(void **state)
{
	char text[5000];
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	_cleanup_(error_destroyp) struct error *err = error_create(ERROR_FAILED, "%s", text);
	assert_string_equal(err->message, text);
}

static void test_no_memory_takes_no_hint_and_is_never_freed(void **state)
{
	struct error *err = error_with_hint(&error_no_memory, "buy some");
	assert_ptr_equal(err, &error_no_memory);
	assert_null(err->hint);
	error_destroy(err);
	error_destroy(err);
	assert_int_equal(error_no_memory.code, ERROR_NO_MEMORY);
	assert_string_equal(error_no_memory.message, "out of memory");
}

static void test_destroy_accepts_null(void **state)
{
	error_destroy(NULL);
}

int error_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_message_is_formatted),
		cmocka_unit_test(test_errno_adds_the_words_of_the_system),
		cmocka_unit_test(test_percent_signs_in_arguments_are_text),
		cmocka_unit_test(test_the_last_hint_stays),
		cmocka_unit_test(test_long_messages_are_not_cut),
		cmocka_unit_test(test_no_memory_takes_no_hint_and_is_never_freed),
		cmocka_unit_test(test_destroy_accepts_null),
	};
	return cmocka_run_group_tests_name("error", tests, NULL, NULL);
}
