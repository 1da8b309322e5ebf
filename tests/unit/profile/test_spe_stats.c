// SPDX-License-Identifier: Apache-2.0

#include "profile/spe/spe_stats.h"

#include "base/cleanup.h"
#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "record/spe/spe_core.h"
#include "tests/unit/assert_error.h"
#include "tests/unit/spe_samples.h"

/** The stats of records, each a sample of its own. */
static void add_up(const struct spe_record *records, size_t num, struct spe_stats *stats)
{
	_cleanup_(spe_sums_deinit) struct spe_sums sums = SPE_SUMS_INIT;
	const struct spe_place place = {.midr = SPE_CORE_NEOVERSE_N1};
	for (size_t i = 0; i < num; i++)
		assert_no_error(spe_sums_add(&sums, &records[i], &place));
	for (size_t i = 0; i < sums.num_groups; i++)
		assert_no_error(spe_stats_add(stats, &sums.groups[i]));
}

static void assert_rate(const struct spe_stats *stats, enum spe_stats_rate rate, uint64_t count,
			uint64_t of)
{
	assert_int_equal(stats->rates[rate].count, count);
	assert_int_equal(stats->rates[rate].of, of);
}

static void test_operations_are_of_classes(void **state)
{
	_cleanup_(spe_stats_deinit) struct spe_stats stats = SPE_STATS_INIT;
	const struct spe_record records[] = {
		spe_test_record(SPE_CLASS_LOAD_STORE, 0x00, 0), // a load
		spe_test_record(SPE_CLASS_LOAD_STORE, 0x05, 0), // a store of vectors
		spe_test_record(SPE_CLASS_LOAD_STORE, 0x06, 0), // an atomic load
		spe_test_record(SPE_CLASS_LOAD_STORE, 0x07, 0), // an atomic store
		spe_test_record(SPE_CLASS_BRANCH, 0x00, 0),
		spe_test_record(SPE_CLASS_OTHER, 0x00, 0),
		{},
	};
	add_up(records, ARRAY_SIZE(records), &stats);
	assert_int_equal(stats.count, 7);
	assert_int_equal(stats.classes[SPE_STATS_LOADS], 1);
	assert_int_equal(stats.classes[SPE_STATS_STORES], 1);
	assert_int_equal(stats.classes[SPE_STATS_ATOMICS], 2);
	assert_int_equal(stats.classes[SPE_STATS_BRANCHES], 1);
	assert_int_equal(stats.classes[SPE_STATS_OTHERS], 2);
}

static void test_rates_are_of_what_could_have_happened(void **state)
{
	_cleanup_(spe_stats_deinit) struct spe_stats stats = SPE_STATS_INIT;
	const uint64_t l1d = SPE_TEST_EVENT(L1D_ACCESS), tlb = SPE_TEST_EVENT(TLB_ACCESS);
	const struct spe_record records[] = {
		spe_test_record(SPE_CLASS_LOAD_STORE, 0, l1d | tlb | SPE_TEST_EVENT(RETIRED)),
		// There are cores that set no bit of the access with that of the refill.
		spe_test_record(SPE_CLASS_LOAD_STORE, 0,
				SPE_TEST_EVENT(L1D_REFILL) | tlb | SPE_TEST_EVENT(TLB_WALK)),
		spe_test_record(SPE_CLASS_LOAD_STORE, 1, SPE_TEST_EVENT(MISALIGNED)),
		spe_test_record(SPE_CLASS_BRANCH, 0, SPE_TEST_EVENT(MISPREDICTED)),
		spe_test_record(SPE_CLASS_BRANCH, 1, SPE_TEST_EVENT(NOT_TAKEN)),
		spe_test_record(SPE_CLASS_BRANCH, 1, SPE_TEST_EVENT(RETIRED)),
		// A select: its condition did not hold.
		spe_test_record(SPE_CLASS_OTHER, 1, SPE_TEST_EVENT(NOT_TAKEN)),
	};
	add_up(records, ARRAY_SIZE(records), &stats);
	assert_rate(&stats, SPE_RATE_L1D_MISS, 1, 2);
	assert_rate(&stats, SPE_RATE_L2D_MISS, 0, 0);
	assert_rate(&stats, SPE_RATE_TLB_WALK, 1, 2);
	assert_rate(&stats, SPE_RATE_MISALIGNED, 1, 3);
	assert_rate(&stats, SPE_RATE_MISPREDICTED, 1, 3);
	assert_rate(&stats, SPE_RATE_NOT_TAKEN, 1, 2);
	assert_rate(&stats, SPE_RATE_SPECULATIVE, 5, 7);
	assert_true(spe_rate_percent(stats.rates[SPE_RATE_L2D_MISS]) == 0);
	assert_true(spe_rate_percent(stats.rates[SPE_RATE_TLB_WALK]) == 50);
}

static void test_levels_are_counted(void **state)
{
	_cleanup_(spe_stats_deinit) struct spe_stats stats = SPE_STATS_INIT;
	struct spe_record records[] = {
		spe_test_access(false, 0, 4),
		spe_test_access(false, 0, 4),
		spe_test_access(true, 0, 4),
	};
	spe_test_set(&records[1], SPE_VALUE_DATA_SOURCE, 0xe);
	add_up(records, ARRAY_SIZE(records), &stats);
	assert_int_equal(stats.levels[SPE_DISTANCE_L1], 1);
	assert_int_equal(stats.levels[SPE_DISTANCE_MEMORY], 1);
	assert_int_equal(stats.num_by_events, 1);
	assert_int_equal(spe_stats_num_loaded(&stats), 2);
	assert_int_equal(stats.latencies[SPE_COUNTER_TOTAL].sum, 12);
}

int spe_stats_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_operations_are_of_classes),
		cmocka_unit_test(test_rates_are_of_what_could_have_happened),
		cmocka_unit_test(test_levels_are_counted),
	};
	return cmocka_run_group_tests_name("spe_stats", tests, NULL, NULL);
}
