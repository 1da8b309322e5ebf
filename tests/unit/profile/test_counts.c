// SPDX-License-Identifier: Apache-2.0

#include "profile/counts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static void counts_are_scaled_by_their_time(void **state)
{
	static const struct {
		struct count count;
		uint64_t scaled;
	} cases[] = {
		{{100, 10, 10}, 100},
		{{9, 5, 10}, 18},
		{{2, 3, 4}, 2}, // 2.67, cut as the peer does
		{{7, 0, 10}, 0},
		{{0, 0, 0}, 0},
		{{UINT64_MAX, 1, 1}, UINT64_MAX},
		{{UINT64_MAX / 2, 1000000, 2000000}, UINT64_MAX - 1},
		{{UINT64_MAX, 1, UINT64_MAX}, UINT64_MAX},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(count_scaled(&cases[i].count), cases[i].scaled);
}

static void units_add_up(void **state)
{
	_cleanup_(count_set_deinit) struct count_set set = COUNT_SET_INIT;
	assert_no_error(count_set_create(COUNT_UNIT_CORE, 3, 2, &set));
	assert_int_equal(set.units[2], 2);
	for (size_t unit = 0; unit < 3; unit++)
		*count_set_at(&set, unit, 1) = (struct count){unit + 1, 1, 2};
	struct count sum = count_set_sum(&set, 1);
	assert_int_equal(sum.value, 6);
	assert_int_equal(sum.scheduled, 3);
	assert_int_equal(sum.total, 6);
	assert_int_equal(count_set_sum(&set, 0).value, 0);
}

static void what_came_since_then(void **state)
{
	_cleanup_(count_set_deinit) struct count_set set = COUNT_SET_INIT;
	_cleanup_(count_set_deinit) struct count_set before = COUNT_SET_INIT;
	assert_no_error(count_set_create(COUNT_UNIT_CORE, 2, 1, &set));
	set.units[1] = 7;
	*count_set_at(&set, 1, 0) = (struct count){10, 2, 3};
	assert_no_error(count_set_copy(&set, &before));
	assert_int_equal(before.units[1], 7);
	*count_set_at(&set, 1, 0) = (struct count){15, 3, 5};
	count_set_subtract(&set, &before);
	assert_int_equal(count_set_at(&set, 1, 0)->value, 5);
	assert_int_equal(count_set_at(&set, 1, 0)->scheduled, 1);
	assert_int_equal(count_set_at(&set, 1, 0)->total, 2);
	assert_int_equal(count_set_at(&set, 0, 0)->value, 0);
	const struct count_set nothing = COUNT_SET_INIT;
	count_set_subtract(&set, &nothing);
	assert_int_equal(count_set_at(&set, 1, 0)->value, 5);
}

static void a_set_of_the_same_size_keeps_its_memory(void **state)
{
	_cleanup_(count_set_deinit) struct count_set set = COUNT_SET_INIT;
	assert_no_error(count_set_renew(COUNT_UNIT_CORE, 3, 2, &set));
	const struct count *counts = set.counts;
	count_set_at(&set, 2, 1)->value = 7;
	set.units[1] = 9;
	assert_no_error(count_set_renew(COUNT_UNIT_PROCESS, 3, 2, &set));
	assert_ptr_equal(set.counts, counts);
	assert_int_equal(set.unit_kind, COUNT_UNIT_PROCESS);
	assert_int_equal(set.units[1], 1);
	assert_int_equal(count_set_at(&set, 2, 1)->value, 0);
	assert_no_error(count_set_renew(COUNT_UNIT_CORE, 4, 5, &set));
	assert_int_equal(count_set_at(&set, 3, 4)->value, 0);
}

static void absurd_sizes_are_refused(void **state)
{
	struct count_set set;
	assert_ptr_equal(count_set_create(COUNT_UNIT_CORE, SIZE_MAX / 2, 4, &set),
			 &error_no_memory);
}

int counts_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_are_scaled_by_their_time),
		cmocka_unit_test(units_add_up),
		cmocka_unit_test(what_came_since_then),
		cmocka_unit_test(a_set_of_the_same_size_keeps_its_memory),
		cmocka_unit_test(absurd_sizes_are_refused),
	};
	return cmocka_run_group_tests_name("counts", tests, NULL, NULL);
}
