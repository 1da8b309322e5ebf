// SPDX-License-Identifier: Apache-2.0

#include "agent/window_clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SECOND_NS UINT64_C(1000000000)

static void test_windows_end_at_multiples_moved_by_a_part(void **state)
{
	struct window_clock clock;
	window_clock_init(&clock, 60 * SECOND_NS, 7 * SECOND_NS + 600 * SECOND_NS);
	// 100 s since 1970: the next end is at 127 s.
	window_clock_begin(&clock, (struct window_instant){5 * SECOND_NS, 100 * SECOND_NS}, false);
	assert_int_equal(clock.start_wall_ns, 100 * SECOND_NS);
	assert_int_equal(window_clock_left_ns(&clock, 5 * SECOND_NS), 27 * SECOND_NS);
	assert_int_equal(window_clock_left_ns(&clock, 31 * SECOND_NS), SECOND_NS);
	assert_int_equal(window_clock_left_ns(&clock, 33 * SECOND_NS), 0);
	// From one end to the next.
	window_clock_begin(&clock, (struct window_instant){32 * SECOND_NS, 127 * SECOND_NS}, false);
	assert_int_equal(window_clock_left_ns(&clock, 32 * SECOND_NS), 60 * SECOND_NS);
	// None is very short.
	window_clock_begin(&clock, (struct window_instant){0, 125 * SECOND_NS}, false);
	assert_int_equal(window_clock_left_ns(&clock, 0), 62 * SECOND_NS);
	window_clock_begin(&clock, (struct window_instant){0, 125 * SECOND_NS}, true);
	assert_int_equal(window_clock_left_ns(&clock, 0), 60 * SECOND_NS);
}

/** Whatever somebody sets the wall clock to, windows go on. */
static void test_a_clock_that_jumps(void **state)
{
	static const uint64_t walls[] = {0, 1, 3, UINT64_C(7) << 60, 59 * SECOND_NS};
	struct window_clock clock;
	window_clock_init(&clock, 60 * SECOND_NS, UINT64_MAX);
	for (size_t i = 0; i < sizeof(walls) / sizeof(*walls); i++) {
		window_clock_begin(&clock, (struct window_instant){1000, walls[i]}, false);
		assert_in_range(window_clock_left_ns(&clock, 1000), 6 * SECOND_NS, 66 * SECOND_NS);
	}
}

int window_clock_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_windows_end_at_multiples_moved_by_a_part),
		cmocka_unit_test(test_a_clock_that_jumps),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
