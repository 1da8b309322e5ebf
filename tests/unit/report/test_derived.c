// SPDX-License-Identifier: Apache-2.0

#include "report/stat/derived.h"

#include "base/container/array.h"
#include "catalog/linux/core_pmus.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

#include <string.h>

// A second on two cores, of which the second is of another kind.

enum { CLOCK, ALL_CYCLES, BIG_CYCLES, BIG_INSTRUCTIONS, LINK_CYCLES, NUM_EVENTS, NUM_CORES = 2 };

static const uint64_t second = 1000000000;

static const struct stat_event event_table[NUM_EVENTS] = {
	[CLOCK] = {.name = "cpu-clock", .unit = "msec"},
	[ALL_CYCLES] = {.name = "cycles"},
	[BIG_CYCLES] = {.name = "big/cycles/", .is_of_some_cores = true},
	[BIG_INSTRUCTIONS] = {.name = "big/instructions/", .is_of_some_cores = true},
	[LINK_CYCLES] = {.name = "link/cycles/"},
};

/** In seconds; 0: the core does not have the event. */
static const uint64_t values[NUM_CORES][NUM_EVENTS] = {{1, 2, 3, 6, 4}, {1, 1, 0, 0, 2}};

static const char *const expected[NUM_CORES + 1][NUM_EVENTS] = {
	{"1.000 CPUs utilized", "2.000 GHz", "3.000 GHz", "2.00 insn per cycle", "4.000 G/sec"},
	{"1.000 CPUs utilized", "1.000 GHz", "", "", "2.000 G/sec"},
	{"2.000 CPUs utilized", "1.500 GHz", "", "2.00 insn per cycle", "3.000 G/sec"},
};

static void rates_are_of_what_the_event_counts(void **state)
{
	struct core_pmu pmus[] = {{.name = "little"}, {.name = "big"}};
	const struct catalog catalog = {.core_pmus = pmus, .num_core_pmus = ARRAY_SIZE(pmus)};
	_cleanup_(count_set_deinit) struct count_set set = COUNT_SET_INIT;
	assert_no_error(count_set_create(COUNT_UNIT_CORE, NUM_CORES, NUM_EVENTS, &set));
	for (size_t core = 0; core < NUM_CORES; core++) {
		for (size_t i = 0; i < NUM_EVENTS; i++) {
			uint64_t time = values[core][i] ? second : 0;
			*count_set_at(&set, core, i) =
				(struct count){values[core][i] * second, time, time};
		}
	}
	struct stat_event events[NUM_EVENTS];
	memcpy(events, event_table, sizeof(events));
	const struct stat_section section = {
		.events = events,
		.num_events = NUM_EVENTS,
		.counts = &set,
	};
	_cleanup_(arena_deinit) struct arena arena = ARENA_INIT;
	assert_no_error(derived_fill(&catalog, &section, events, second, &arena));
	for (size_t unit = 0; unit <= NUM_CORES; unit++)
		for (size_t i = 0; i < NUM_EVENTS; i++)
			assert_string_equal(events[i].derived[unit], expected[unit][i]);
}

int derived_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rates_are_of_what_the_event_counts),
	};
	return cmocka_run_group_tests_name("derived", tests, NULL, NULL);
}
