// SPDX-License-Identifier: Apache-2.0

#include "base/os/environment.h"

#include "base/os/privileges.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static void test_copies(void **state)
{
	char *text = NULL;
	setenv("TEST_ENVIRONMENT", "here", 1);
	assert_no_error(environment_copy("TEST_ENVIRONMENT", &text));
	assert_string_equal(text, "here");
	free(text);
	setenv("TEST_ENVIRONMENT", "", 1);
	assert_no_error(environment_copy("TEST_ENVIRONMENT", &text));
	assert_null(text);
}

static void test_the_cache(void **state)
{
	char *text = NULL;
	setenv("XDG_CACHE_HOME", "/k", 1);
	assert_no_error(environment_cache_folder(&text));
	assert_string_equal(text, "/k");
	free(text);
	unsetenv("XDG_CACHE_HOME");
	setenv("HOME", "/home/me", 1);
	assert_no_error(environment_cache_folder(&text));
	assert_string_equal(text, "/home/me/.cache");
	free(text);
	unsetenv("HOME");
	assert_no_error(environment_cache_folder(&text));
	assert_null(text);
}

static void check_state(const char *wanted)
{
	char *text = NULL;
	assert_no_error(environment_state_folder(&text));
	if (wanted)
		assert_string_equal(text, wanted);
	else
		assert_null(text);
	free(text);
}

static void test_the_state(void **state)
{
	bool is_root = privileges_are_root();
	setenv("HOME", "/home/me", 1);
	setenv("XDG_STATE_HOME", "/s", 1);
	check_state("/s/wperf");
	setenv("XDG_STATE_HOME", "relative", 1);
	check_state(is_root ? "/var/lib/wperf" : "/home/me/.local/state/wperf");
	unsetenv("XDG_STATE_HOME");
	check_state(is_root ? "/var/lib/wperf" : "/home/me/.local/state/wperf");
	setenv("HOME", "relative", 1);
	check_state(is_root ? "/var/lib/wperf" : NULL);
	unsetenv("HOME");
}

int environment_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_the_cache),
		cmocka_unit_test(test_the_state),
	};
	return cmocka_run_group_tests_name("environment", tests, NULL, NULL);
}
