// SPDX-License-Identifier: Apache-2.0

#include "agent/service_rules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/scratch_folder.h"

static void test_the_first_match_counts(void **state)
{
	_cleanup_(service_rules_deinit) struct service_rules rules = SERVICE_RULES_INIT;
	assert_no_error(service_rules_add(&rules, "*gunicorn*--name=shop*=shop"));
	assert_no_error(service_rules_add(&rules, "gunicorn=other web"));
	assert_string_equal(service_rules_find(&rules, "gunicorn", "gunicorn --name=shop -w 4"),
			    "shop");
	assert_string_equal(service_rules_find(&rules, "gunicorn", ""), "other web");
	assert_string_equal(service_rules_find(&rules, "python3", "python3 /bin/gunicorn"),
			    "other web");
	assert_null(service_rules_find(&rules, "nginx", "nginx: worker"));
}

static void test_what_is_no_rule(void **state)
{
	static const char *const words[] = {"", "=", "a", "a=", "=a"};
	_cleanup_(service_rules_deinit) struct service_rules rules = SERVICE_RULES_INIT;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		char message[40];
		snprintf(message, sizeof(message), "not a service rule: '%s'", words[i]);
		assert_error(service_rules_add(&rules, words[i]), ERROR_USAGE, message);
	}
	assert_int_equal(rules.num_items, 0);
}

static void test_a_file_has_comments(void **state)
{
	_cleanup_(service_rules_deinit) struct service_rules rules = SERVICE_RULES_INIT;
	scratch_folder_write("rules", "# names\n\n  java=mill\r\nnode=page");
	assert_no_error(service_rules_read(&rules, "rules"));
	assert_int_equal(rules.num_items, 2);
	assert_string_equal(service_rules_find(&rules, "java", ""), "mill");
	assert_string_equal(service_rules_find(&rules, "node", ""), "page");
	assert_error(service_rules_read(&rules, "none"), ERROR_FAILED,
		     "cannot read 'none': No such file or directory");
}

int service_rules_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_first_match_counts),
		cmocka_unit_test(test_what_is_no_rule),
		cmocka_unit_test(test_a_file_has_comments),
	};
	return cmocka_run_group_tests(tests, scratch_folder_enter, scratch_folder_leave);
}
