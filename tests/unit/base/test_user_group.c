// SPDX-License-Identifier: Apache-2.0

#include "base/rights/user_group.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/container/array.h"

static void test_names_of_groups(void **state)
{
	static const char *const good[] = {"perf_users", "_x", "a-b", "w2"};
	static const char *const bad[] = {"",
					  "-r",
					  "a b",
					  "a:b",
					  "2w",
					  "Perf",
					  "../x",
					  "$x",
					  "root\t",
					  "a\nb",
					  "abcdefghijklmnopqrstuvwxyz0123456"};
	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		assert_true(user_group_may_be(good[i]));
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_false(user_group_may_be(bad[i]));
}

static void test_that_of_root_is_0(void **state)
{
	uint32_t group = 1;
	struct error *err = user_group_find("root", &group);
	assert_null(err);
	assert_int_equal(group, 0);
}

/** Neither a part of a name nor one that goes on. */
static void test_an_absent_group(void **state)
{
	static const char *const names[] = {"roo", "roott", "no-such-group-of-wperf"};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		uint32_t group = 1;
		_cleanup_(error_destroyp) struct error *err = user_group_find(names[i], &group);
		assert_non_null(err);
		assert_int_equal(err->code, ERROR_ABSENT);
		assert_int_equal(group, 1);
	}
}

int user_group_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_of_groups),
		cmocka_unit_test(test_that_of_root_is_0),
		cmocka_unit_test(test_an_absent_group),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
