// SPDX-License-Identifier: Apache-2.0

#include "profile/interpreted/language.h"

#include "profile/named_profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static void test_names_can_be_printed_anywhere(void **state)
{
	assert_true(language_is_name("Python"));
	assert_true(language_is_name("C++"));
	assert_true(language_is_name("Node.js 22"));
	assert_true(language_is_name("a language of 31 characters ..."));
	assert_false(language_is_name("a language of 32 characters ...."));
	assert_false(language_is_name(""));
	assert_false(language_is_name(" Toy"));
	assert_false(language_is_name("Toy "));
	assert_false(language_is_name("Toy\n"));
	assert_false(language_is_name("\33[2J"));
	assert_false(language_is_name("<b>"));
	assert_false(language_is_name("%s"));
	assert_false(language_is_name("\"Toy\""));
}

static void test_a_profile_keeps_the_last_name(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	char name[] = "Toy";
	assert_no_error(named_profile_init(&profile));
	assert_string_equal(profile.language->name, language_unknown.name);
	assert_no_error(named_profile_set_language(&profile, "Other"));
	assert_no_error(named_profile_set_language(&profile, name));
	name[0] = 'B';
	assert_string_equal(profile.language->name, "Toy");
	assert_null(profile.language->package_folders[0]);
	assert_null(profile.language->jit_mark);
}

int language_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_can_be_printed_anywhere),
		cmocka_unit_test(test_a_profile_keeps_the_last_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
