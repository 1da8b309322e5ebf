// SPDX-License-Identifier: Apache-2.0

#include "process/system/core_groups.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static const unsigned sizes[] = {64, 60, 4};

static void cores_are_counted_through_all_groups(void **state)
{
	static const unsigned cores[] = {0, 63, 64, 123, 124, 127};
	struct core_group groups[3];
	size_t num;
	assert_no_error(core_groups_split(cores, 6, sizes, 3, groups, &num));
	assert_int_equal(num, 3);
	assert_int_equal(groups[0].number, 0);
	assert_true(groups[0].mask == (UINT64_C(1) | UINT64_C(1) << 63));
	assert_int_equal(groups[1].number, 1);
	assert_true(groups[1].mask == (UINT64_C(1) | UINT64_C(1) << 59));
	assert_int_equal(groups[2].number, 2);
	assert_true(groups[2].mask == 9);
}

static void groups_without_a_core_are_left_out(void **state)
{
	static const unsigned cores[] = {70};
	struct core_group groups[3];
	size_t num;
	assert_no_error(core_groups_split(cores, 1, sizes, 3, groups, &num));
	assert_int_equal(num, 1);
	assert_int_equal(groups[0].number, 1);
	assert_true(groups[0].mask == UINT64_C(1) << 6);
}

static void a_core_that_is_not_there_is_named(void **state)
{
	static const unsigned cores[] = {1, 128, 4000000000};
	struct core_group groups[3];
	size_t num;
	struct error *err = core_groups_split(cores, 3, sizes, 3, groups, &num);
	assert_non_null(err);
	assert_non_null(strstr(err->message, "no core 128: this machine has cores 0 to 127"));
	error_destroy(err);
}

int core_groups_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cores_are_counted_through_all_groups),
		cmocka_unit_test(groups_without_a_core_are_left_out),
		cmocka_unit_test(a_core_that_is_not_there_is_named),
	};
	return cmocka_run_group_tests_name("core_groups", tests, NULL, NULL);
}
