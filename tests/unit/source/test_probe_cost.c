// SPDX-License-Identifier: Apache-2.0

#include "source/memory/attached/probe_cost.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void half_the_time_in_probes_doubles_it(void **state)
{
	assert_float_equal(probe_cost_percent(50, 100), 100, 1e-9);
	assert_float_equal(probe_cost_percent(1, 101), 1, 1e-9);
	assert_float_equal(probe_cost_percent(0, 100), 0, 1e-9);
}

/** A process that slept, and clocks that disagree. */
static void every_time_gives_a_number(void **state)
{
	assert_float_equal(probe_cost_percent(0, 0), 0, 1e-9);
	assert_float_equal(probe_cost_percent(100, 0), 0, 1e-9);
	assert_float_equal(probe_cost_percent(200, 100), 9900, 1e-6);
}

int probe_cost_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(half_the_time_in_probes_doubles_it),
		cmocka_unit_test(every_time_gives_a_number),
	};
	return cmocka_run_group_tests_name("probe_cost", tests, NULL, NULL);
}
