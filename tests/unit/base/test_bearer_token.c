// SPDX-License-Identifier: Apache-2.0

#include "base/http/bearer_token.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

/** @wanted: NULL: it is refused. */
static void check(struct error *err, char *token, const char *wanted)
{
	if (wanted) {
		assert_no_error(err);
		assert_string_equal(token, wanted);
		free(token);
		return;
	}
	assert_non_null(err);
	assert_non_null(strstr(err->hint, "without spaces"));
	error_destroy(err);
}

static void check_file(const char *text, const char *wanted)
{
	char path[] = "/tmp/bearer_token.XXXXXX", *token = NULL;
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	struct error *err = bearer_token_read(path, &token);
	unlink(path);
	check(err, token, wanted);
}

static void check_variable(const char *text, const char *wanted)
{
	char *token = NULL;
	struct error *err = bearer_token_take("A_VARIABLE", text, &token);
	check(err, token, wanted);
}

static void test_a_file(void **state)
{
	check_file("secret-7", "secret-7");
	check_file("secret-7\n", "secret-7");
	check_file("secret-7\r\n# more\n", "secret-7");
	check_file("", NULL);
	check_file("\nsecret\n", NULL);
	check_file("two words\n", NULL);
	check_file("secret \n", NULL);
	check_file("s\xc3\xa9"
		   "cret\n",
		   NULL);
	char *token = NULL;
	struct error *err = bearer_token_read("/nowhere/token", &token);
	assert_non_null(strstr(err->message, "/nowhere/token"));
	error_destroy(err);
}

static void test_a_file_that_is_too_long(void **state)
{
	char text[6000];
	memset(text, 'x', sizeof(text));
	text[4097] = '\0';
	check_file(text, NULL);
	text[4096] = '\0';
	check_file(text, text);
}

static void test_a_variable(void **state)
{
	check_variable("secret-7", "secret-7");
	check_variable("two words", NULL);
	check_variable("secret\n", NULL);
	check_variable("secret\r\nX-Other: 1", NULL);
}

int bearer_token_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_file),
		cmocka_unit_test(test_a_file_that_is_too_long),
		cmocka_unit_test(test_a_variable),
	};
	return cmocka_run_group_tests_name("bearer_token", tests, NULL, NULL);
}
