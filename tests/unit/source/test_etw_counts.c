// SPDX-License-Identifier: Apache-2.0

#include "source/etw/etw_counts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

enum { PID = 10, CHILD = 11, OTHER = 20, THREAD = 30, SECOND = 31, CYCLES = 0, MISSES = 1 };

static void add(struct etw_counts *counts, struct etw_targets *targets, uint32_t pid, uint32_t tid,
		uint32_t event, uint64_t count)
{
	const struct record record = {
		.kind = RECORD_SAMPLE,
		.mode = RECORD_MODE_UNKNOWN,
		.pid = pid,
		.tid = tid,
		.event = event,
		.sample = {.period = count},
	};
	assert_no_error(etw_counts_take(counts, targets, &record));
}

/** Two threads of a process, its child, and another process. */
static void count_all(struct etw_counts *counts)
{
	static const uint32_t pids[] = {PID};
	const struct etw_targets_request request = {.pids = pids, .num_pids = 1, .inherit = true};
	const struct record child = {
		.kind = RECORD_FORK, .pid = CHILD, .tid = CHILD, .task = {.parent_pid = PID}};
	struct etw_targets targets;
	assert_no_error(etw_targets_init(&targets, &request));
	add(counts, &targets, PID, THREAD, CYCLES, 100);
	add(counts, &targets, PID, THREAD, MISSES, 3);
	add(counts, &targets, OTHER, 99, CYCLES, 1000);
	add(counts, &targets, PID, SECOND, CYCLES, 10);
	assert_no_error(etw_counts_take(counts, &targets, &child));
	add(counts, &targets, CHILD, 40, CYCLES, 1);
	add(counts, &targets, PID, THREAD, 2, 5); // there is no third event
	etw_targets_deinit(&targets);
}

static void processes_have_their_childrens_counts(void **state)
{
	struct etw_counts counts = {.num_events = 2, .unit_kind = COUNT_UNIT_PROCESS};
	struct count_set set = COUNT_SET_INIT;
	count_all(&counts);
	assert_no_error(etw_counts_read(&counts, 7, &set));
	assert_int_equal(set.unit_kind, COUNT_UNIT_PROCESS);
	assert_int_equal(set.num_units, 1);
	assert_int_equal(set.units[0], PID);
	assert_int_equal(count_set_at(&set, 0, CYCLES)->value, 111);
	assert_int_equal(count_set_at(&set, 0, MISSES)->value, 3);
	assert_int_equal(count_set_at(&set, 0, MISSES)->scheduled, 7);
	assert_true(count_is_whole(count_set_at(&set, 0, MISSES)));
	count_set_deinit(&set);
	etw_counts_deinit(&counts);
}

static void threads_have_their_own(void **state)
{
	struct etw_counts counts = {.num_events = 2, .unit_kind = COUNT_UNIT_THREAD};
	struct count_set set = COUNT_SET_INIT;
	count_all(&counts);
	assert_no_error(etw_counts_read(&counts, 7, &set));
	assert_int_equal(set.unit_kind, COUNT_UNIT_THREAD);
	assert_int_equal(set.num_units, 3);
	assert_int_equal(set.units[1], SECOND);
	assert_int_equal(count_set_at(&set, 0, CYCLES)->value, 100);
	assert_int_equal(count_set_at(&set, 1, CYCLES)->value, 10);
	assert_int_equal(count_set_at(&set, 2, CYCLES)->value, 1);
	etw_counts_clear(&counts);
	assert_no_error(etw_counts_read(&counts, 0, &set));
	assert_int_equal(set.num_units, 0);
	count_set_deinit(&set);
	etw_counts_deinit(&counts);
}

/** What runs on a core is its own, also when nothing does. */
static void cores_have_all_that_runs_there(void **state)
{
	static const unsigned cores[] = {1, 3};
	const struct etw_targets_request request = {.cores = cores, .num_cores = 2};
	struct etw_targets targets;
	struct etw_counts counts = {.num_events = 1, .unit_kind = COUNT_UNIT_CORE};
	struct count_set set = COUNT_SET_INIT;
	assert_no_error(etw_targets_init(&targets, &request));
	for (size_t i = 0; i < 2; i++)
		assert_no_error(etw_counts_add(&counts, cores[i]));
	for (uint32_t cpu = 0; cpu < 4; cpu++) {
		struct record record = {.kind = RECORD_SAMPLE,
					.pid = PID,
					.tid = THREAD,
					.cpu = cpu,
					.sample = {.period = 10 + cpu}};
		assert_no_error(etw_counts_take(&counts, &targets, &record));
		record.pid = record.tid = 0;
		record.sample.period = 100;
		assert_no_error(etw_counts_take(&counts, &targets, &record));
	}
	assert_no_error(etw_counts_read(&counts, 7, &set));
	assert_int_equal(set.unit_kind, COUNT_UNIT_CORE);
	assert_int_equal(set.num_units, 2);
	assert_int_equal(set.units[1], 3);
	assert_int_equal(count_set_at(&set, 0, 0)->value, 111);
	assert_int_equal(count_set_at(&set, 1, 0)->value, 113);
	count_set_deinit(&set);
	etw_targets_deinit(&targets);
	etw_counts_deinit(&counts);
}

static void who_never_ran_has_zeros(void **state)
{
	struct etw_counts counts = {.num_events = 1, .unit_kind = COUNT_UNIT_PROCESS};
	struct count_set set = COUNT_SET_INIT;
	assert_no_error(etw_counts_add(&counts, PID));
	assert_no_error(etw_counts_add(&counts, PID));
	assert_no_error(etw_counts_read(&counts, 7, &set));
	assert_int_equal(set.num_units, 1);
	assert_int_equal(count_set_at(&set, 0, 0)->value, 0);
	count_set_deinit(&set);
	etw_counts_deinit(&counts);
}

int etw_counts_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(processes_have_their_childrens_counts),
		cmocka_unit_test(threads_have_their_own),
		cmocka_unit_test(cores_have_all_that_runs_there),
		cmocka_unit_test(who_never_ran_has_zeros),
	};
	return cmocka_run_group_tests_name("etw_counts", tests, NULL, NULL);
}
