// SPDX-License-Identifier: Apache-2.0

#include "report/stat/stat_core_groups.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

#include "tests/unit/scratch_folder.h"

#include <sys/stat.h>
#include <unistd.h>

/** As if CPUs 0 and 2 were in group 0, and 1 and 3 in group 1. */
static struct stat_core_groups groups_of_four(void)
{
	static size_t group_of[] = {0, 1, 0, 1};
	return (struct stat_core_groups){.num_cores = 4, .num_groups = 2, .group_of = group_of};
}

/** Of one column, of four CPUs. */
static const struct count_set *sum(struct arena *arena, struct count counts[4])
{
	static uint32_t units[] = {0, 1, 2, 3};
	const struct count_set set = {
		.unit_kind = COUNT_UNIT_CORE,
		.num_units = 4,
		.num_columns = 1,
		.units = units,
		.counts = counts,
	};
	const struct stat_core_groups groups = groups_of_four();
	const struct count_set *sums = NULL;
	assert_no_error(stat_core_groups_sum(&groups, &set, arena, &sums));
	assert_int_equal(sums->num_units, 2);
	assert_int_equal(sums->unit_kind, COUNT_UNIT_CORE_GROUP);
	return sums;
}

static void counts_of_a_group_are_added_up(void **state)
{
	_cleanup_(arena_deinit) struct arena arena = ARENA_INIT;
	struct count counts[] = {{1, 100, 100}, {10, 100, 100}, {200, 100, 100}, {3000, 100, 100}};
	const struct count_set *sums = sum(&arena, counts);
	assert_int_equal(sums->counts[0].value, 201);
	assert_int_equal(sums->counts[0].scheduled, 200);
	assert_int_equal(sums->counts[0].total, 200);
	assert_int_equal(sums->counts[1].value, 3010);
}

// An idle CPU that was counted all the time, and a busy one that was counted a tenth of it.
static void a_scaled_sum_is_the_sum_of_scaled_counts(void **state)
{
	_cleanup_(arena_deinit) struct arena arena = ARENA_INIT;
	struct count counts[] = {{0, 1000, 1000}, {7, 500, 1000}, {100, 100, 1000}, {0, 0, 1000}};
	const struct count_set *sums = sum(&arena, counts);
	assert_int_equal(count_scaled(&sums->counts[0]), 1000);
	// That of a CPU without a counter is not known, and not guessed from the other.
	assert_int_equal(count_scaled(&sums->counts[1]), 14);
}

static void what_was_never_counted_stays_so(void **state)
{
	_cleanup_(arena_deinit) struct arena arena = ARENA_INIT;
	struct count counts[] = {{0, 0, 1000}, {0, 10, 1000}, {0, 0, 1000}, {0, 0, 1000}};
	const struct count_set *sums = sum(&arena, counts);
	assert_false(count_is_measured(&sums->counts[0]));
	assert_true(count_is_measured(&sums->counts[1]));
}

// The kernel takes the files of a CPU away that goes offline.
static void a_cpu_that_goes_offline_keeps_its_place(void **state)
{
	_cleanup_(arena_deinit) struct arena arena = ARENA_INIT;
	static uint32_t units[] = {0, 2};
	const struct count_set set = {.unit_kind = COUNT_UNIT_CORE, .num_units = 2, .units = units};
	struct stat_core_groups groups = {.by = {.kind = CORE_GROUPING_SOCKET}, .root = "."};
	assert_int_equal(mkdir("cpu", 0700) | mkdir("cpu/cpu0", 0700) | mkdir("cpu/cpu2", 0700) |
				 mkdir("cpu/cpu0/topology", 0700) |
				 mkdir("cpu/cpu2/topology", 0700),
			 0);
	scratch_folder_write("cpu/cpu0/topology/physical_package_id", "0\n");
	scratch_folder_write("cpu/cpu2/topology/physical_package_id", "1\n");
	assert_no_error(stat_core_groups_place(&groups, NULL, 4, &arena));
	assert_int_equal(groups.num_placed, 2);
	unlink("cpu/cpu2/topology/physical_package_id");
	assert_no_error(stat_core_groups_find(&groups, &set, &arena));
	assert_int_equal(groups.num_groups, 2);
	assert_string_equal(groups.labels[1], "S1");
	groups.root = "absent";
	assert_error(stat_core_groups_place(&groups, units, 2, &arena), ERROR_FAILED,
		     "cannot find the socket of CPU 0");
}

int stat_core_groups_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_of_a_group_are_added_up),
		cmocka_unit_test(a_scaled_sum_is_the_sum_of_scaled_counts),
		cmocka_unit_test(what_was_never_counted_stays_so),
		cmocka_unit_test(a_cpu_that_goes_offline_keeps_its_place),
	};
	return cmocka_run_group_tests_name("stat_core_groups", tests, scratch_folder_enter,
					   scratch_folder_leave);
}
