// SPDX-License-Identifier: Apache-2.0

#include "profile/hot/profile_diff.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/profile_fixture.h"

#include <string.h>

static void add(struct named_profile *profile, const char *name, const char *module,
		uint64_t weight)
{
	uint32_t function = fixture_function(profile, name, fixture_module(profile, module));
	fixture_sample(profile, (uint32_t[]){fixture_frame(profile, function, 1, 16)}, 1, weight);
}

static void init_sides(struct named_profile *before, struct named_profile *after)
{
	assert_no_error(named_profile_init(before));
	add(before, "parse", "app", 60);
	add(before, "copy", "libc.so.6", 20);
	add(before, "copy", "app", 20);
	assert_no_error(named_profile_init(after));
	add(after, "new", "app", 50);
	add(after, "copy", "libc.so.6", 50);
	add(after, "parse", "app", 100);
}

static const struct profile_diff_row *find_row(const struct profile_diff *diff, const char *name,
					       const char *module)
{
	for (size_t i = 0; i < diff->num_rows; i++) {
		if (!strcmp(diff->rows[i].name, name) && !strcmp(diff->rows[i].module, module))
			return &diff->rows[i];
	}
	return NULL;
}

static void assert_row(const struct profile_diff *diff, const char *name, const char *module,
		       double before, double after)
{
	const struct profile_diff_row *row = find_row(diff, name, module);
	assert_non_null(row);
	assert_float_equal(row->before.self_percent, before, 1e-9);
	assert_float_equal(row->after.self_percent, after, 1e-9);
	assert_float_equal(profile_diff_self_change(row), after - before, 1e-9);
	assert_float_equal(profile_diff_total_change(row), after - before, 1e-9);
}

static void test_rows_are_joined_by_name_and_module(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile before;
	_cleanup_(named_profile_deinit) struct named_profile after;
	init_sides(&before, &after);
	_cleanup_(hot_list_deinit) struct hot_list old = HOT_LIST_INIT;
	_cleanup_(hot_list_deinit) struct hot_list new = HOT_LIST_INIT;
	assert_no_error(hot_list_create(&before, HOT_FUNCTION, HOT_BY_SELF, NULL, &old));
	assert_no_error(hot_list_create(&after, HOT_FUNCTION, HOT_BY_SELF, NULL, &new));
	_cleanup_(profile_diff_deinit) struct profile_diff diff = PROFILE_DIFF_INIT;
	assert_no_error(profile_diff_create(
		&(struct profile_diff_side){&before, &old, false, false},
		&(struct profile_diff_side){&after, &new, false, false}, &diff));
	assert_int_equal(diff.num_rows, 4);
	assert_row(&diff, "parse", "app", 60, 50);
	assert_row(&diff, "copy", "libc.so.6", 20, 25);
	assert_row(&diff, "copy", "app", 20, 0);
	assert_row(&diff, "new", "app", 0, 25);
	assert_string_equal(diff.rows[0].name, "new");
	assert_string_equal(diff.rows[1].module, "app");
	assert_string_equal(diff.rows[3].name, "copy");
	profile_diff_limit(&diff, 10);
	assert_int_equal(diff.num_rows, 3);
	assert_null(find_row(&diff, "copy", "libc.so.6"));
	assert_non_null(find_row(&diff, "parse", "app"));
}

static void test_modules_have_their_name_once(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile before;
	_cleanup_(named_profile_deinit) struct named_profile after;
	init_sides(&before, &after);
	_cleanup_(hot_list_deinit) struct hot_list old = HOT_LIST_INIT;
	_cleanup_(hot_list_deinit) struct hot_list new = HOT_LIST_INIT;
	assert_no_error(hot_list_create(&before, HOT_MODULE, HOT_BY_SELF, NULL, &old));
	assert_no_error(hot_list_create(&after, HOT_MODULE, HOT_BY_SELF, NULL, &new));
	_cleanup_(profile_diff_deinit) struct profile_diff diff = PROFILE_DIFF_INIT;
	assert_no_error(profile_diff_create(
		&(struct profile_diff_side){&before, &old, false, false},
		&(struct profile_diff_side){&after, &new, false, false}, &diff));
	assert_int_equal(diff.num_rows, 2);
	assert_row(&diff, "app", "", 80, 75);
	assert_row(&diff, "libc.so.6", "", 20, 25);
}

static struct share_change change_of_new(uint64_t num_samples, bool is_measured)
{
	struct hot_entry entry = {.item = NAMED_NONE, .self = {num_samples, num_samples}};
	const struct hot_list empty = {.key = HOT_CPU, .whole = {1000, 1000}};
	const struct hot_list list = {
		.key = HOT_CPU, .entries = &entry, .num_entries = 1, .whole = {1000, 1000}};
	const struct named_profile profile = {0};
	_cleanup_(profile_diff_deinit) struct profile_diff diff = PROFILE_DIFF_INIT;
	assert_no_error(profile_diff_create(
		&(struct profile_diff_side){&profile, &empty, is_measured, false},
		&(struct profile_diff_side){&profile, &list, is_measured, false}, &diff));
	assert_int_equal(diff.num_rows, 1);
	return profile_diff_self_range(&diff, &diff.rows[0]);
}

static void test_only_what_is_sampled_has_a_range(void **state)
{
	struct share_change sampled = change_of_new(100, false);
	assert_float_equal(sampled.points, 10, 1e-9);
	assert_true(sampled.low > 8 && sampled.low < 9);
	assert_true(sampled.high > 11.5 && sampled.high < 12.5);
	struct share_change measured = change_of_new(100, true);
	assert_float_equal(measured.low, 10, 1e-9);
	assert_float_equal(measured.high, 10, 1e-9);
}

static void test_lists_must_be_alike(void **state)
{
	struct hot_list functions = {.key = HOT_FUNCTION};
	struct hot_list lines = {.key = HOT_LINE};
	struct profile_diff_side before = {.list = &functions};
	struct profile_diff_side after = {.list = &lines};
	struct profile_diff diff;
	assert_error(profile_diff_create(&before, &after, &diff), ERROR_FAILED,
		     "a list by function cannot be compared with one by line");
}

int profile_diff_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_are_joined_by_name_and_module),
		cmocka_unit_test(test_modules_have_their_name_once),
		cmocka_unit_test(test_only_what_is_sampled_has_a_range),
		cmocka_unit_test(test_lists_must_be_alike),
	};
	return cmocka_run_group_tests_name("profile_diff", tests, NULL, NULL);
}
