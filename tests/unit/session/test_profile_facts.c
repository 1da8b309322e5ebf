// SPDX-License-Identifier: Apache-2.0

#include "session/profile_facts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "interpreter/interpreter_ops.h"
#include "tests/unit/assert_error.h"

static void test_the_language_is_that_of_the_interpreter_here(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	assert_no_error(profile_facts_set_language(&profile, "Python"));
	assert_ptr_equal(profile.language, interpreter_usual_language());
}

static void test_of_another_only_the_name_is_known(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	assert_no_error(profile_facts_set_language(&profile, "Toy"));
	assert_string_equal(profile.language->name, "Toy");
}

static void test_no_name_changes_nothing(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	const struct language *before = profile.language;
	assert_no_error(profile_facts_set_language(&profile, NULL));
	assert_no_error(profile_facts_set_language(&profile, ""));
	assert_no_error(profile_facts_set_language(&profile, "\33]0;"));
	assert_ptr_equal(profile.language, before);
}

int profile_facts_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_language_is_that_of_the_interpreter_here),
		cmocka_unit_test(test_of_another_only_the_name_is_known),
		cmocka_unit_test(test_no_name_changes_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
