// SPDX-License-Identifier: Apache-2.0

#include "profile/spe/spe_level.h"

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
#include "tests/unit/spe_samples.h"

static struct spe_record load(uint64_t events)
{
	return spe_test_record(SPE_CLASS_LOAD_STORE, 0, events);
}

static void test_the_data_source_of_a_known_core_says_it(void **state)
{
	struct spe_record record = load(SPE_TEST_EVENT(L1D_ACCESS) | SPE_TEST_EVENT(L1D_REFILL));
	spe_test_set(&record, SPE_VALUE_DATA_SOURCE, 0x9);
	struct spe_origin origin = spe_origin_of(&record, SPE_CORE_NEOVERSE_N1);
	assert_int_equal(origin.level, SPE_DISTANCE_PEER_CORE);
	assert_string_equal(origin.source->name, "peer core");
	assert_false(origin.is_by_events);
}

static void test_the_number_of_an_unknown_core_says_nothing(void **state)
{
	struct spe_record record = load(SPE_TEST_EVENT(L1D_ACCESS) | SPE_TEST_EVENT(L1D_REFILL));
	spe_test_set(&record, SPE_VALUE_DATA_SOURCE, 0x9);
	struct spe_origin origin = spe_origin_of(&record, 0);
	assert_int_equal(origin.level, SPE_LEVEL_UNKNOWN);
	assert_null(origin.source);
	assert_false(origin.is_by_events);
}

static void test_events_say_where_it_must_have_been(void **state)
{
	static const struct {
		uint64_t events;
		unsigned level;
	} cases[] = {
		{SPE_TEST_EVENT(L1D_ACCESS), SPE_DISTANCE_L1},
		{SPE_TEST_EVENT(L1D_ACCESS) | SPE_TEST_EVENT(L1D_REFILL), SPE_LEVEL_UNKNOWN},
		{SPE_TEST_EVENT(L1D_REFILL) | SPE_TEST_EVENT(L2D_ACCESS), SPE_DISTANCE_L2},
		{SPE_TEST_EVENT(L2D_ACCESS) | SPE_TEST_EVENT(L2D_MISS), SPE_LEVEL_UNKNOWN},
		{SPE_TEST_EVENT(LLC_ACCESS), SPE_DISTANCE_SYSTEM_CACHE},
		{SPE_TEST_EVENT(LLC_ACCESS) | SPE_TEST_EVENT(LLC_MISS), SPE_DISTANCE_MEMORY},
		{SPE_TEST_EVENT(LLC_MISS) | SPE_TEST_EVENT(REMOTE_ACCESS), SPE_DISTANCE_REMOTE},
		{SPE_TEST_EVENT(RETIRED), SPE_LEVEL_UNKNOWN},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct spe_record record = load(cases[i].events);
		struct spe_origin origin = spe_origin_of(&record, 0);
		assert_int_equal(origin.level, cases[i].level);
		assert_int_equal(origin.is_by_events, cases[i].level != SPE_LEVEL_UNKNOWN);
	}
}

static void test_what_loads_nothing_has_no_source(void **state)
{
	struct spe_record store =
		spe_test_record(SPE_CLASS_LOAD_STORE, 1, SPE_TEST_EVENT(L1D_ACCESS));
	assert_int_equal(spe_origin_of(&store, 0).level, SPE_LEVEL_NONE);
	struct spe_record branch = spe_test_record(SPE_CLASS_BRANCH, 1, SPE_TEST_EVENT(RETIRED));
	assert_int_equal(spe_origin_of(&branch, 0).level, SPE_LEVEL_NONE);
	struct spe_record nothing = {};
	assert_int_equal(spe_origin_of(&nothing, 0).level, SPE_LEVEL_NONE);
	assert_string_equal(spe_level_name(SPE_LEVEL_NONE), "no load");
	// An atomic store loads, too.
	struct spe_record atomic =
		spe_test_record(SPE_CLASS_LOAD_STORE, 0x07, SPE_TEST_EVENT(L1D_ACCESS));
	assert_int_equal(spe_origin_of(&atomic, 0).level, SPE_DISTANCE_L1);
}

int spe_level_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_data_source_of_a_known_core_says_it),
		cmocka_unit_test(test_the_number_of_an_unknown_core_says_nothing),
		cmocka_unit_test(test_events_say_where_it_must_have_been),
		cmocka_unit_test(test_what_loads_nothing_has_no_source),
	};
	return cmocka_run_group_tests_name("spe_level", tests, NULL, NULL);
}
