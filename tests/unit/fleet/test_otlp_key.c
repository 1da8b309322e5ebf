// SPDX-License-Identifier: Apache-2.0

#include "fleet/otlp/otlp_key.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void test_each_key_is_found_by_its_name(void **state)
{
	for (enum otlp_key key = 0; key < OTLP_NUM_KEYS; key++) {
		const char *name = otlp_key_name(key);
		assert_non_null(name);
		assert_int_equal(otlp_key_find(name, strlen(name)), key);
	}
}

static void test_other_names_are_none(void **state)
{
	assert_int_equal(otlp_key_find("", 0), OTLP_NUM_KEYS);
	assert_int_equal(otlp_key_find("thread.nam", 10), OTLP_NUM_KEYS);
	assert_int_equal(otlp_key_find("thread.id\0x", 11), OTLP_NUM_KEYS);
}

int otlp_key_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_key_is_found_by_its_name),
		cmocka_unit_test(test_other_names_are_none),
	};
	return cmocka_run_group_tests_name("otlp_key", tests, NULL, NULL);
}
