// SPDX-License-Identifier: Apache-2.0

#include "server/tenant/retention_clock.h"

#include "fleet/store/store_ops.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define HOUR  STORE_HOUR_NS
#define DAY   STORE_DAY_NS
#define START (20000 * DAY)
#define KEEP  (14 * DAY)

/** After so much real time, with a clock that is so far off. */
static bool permits(struct retention_clock *clock, uint64_t passed_ns, int64_t off_ns)
{
	uint64_t ahead_ns;
	return retention_clock_permits(
		clock,
		(struct retention_instant){START + passed_ns + (uint64_t)off_ns, HOUR + passed_ns},
		&ahead_ns);
}

static struct retention_clock clock_of(uint64_t newest_ns)
{
	struct retention_clock clock;
	retention_clock_init(&clock, newest_ns, KEEP, (struct retention_instant){START, HOUR});
	return clock;
}

static void test_a_clock_that_goes_right(void **state)
{
	struct retention_clock clock = clock_of(0);
	for (uint64_t passed = 0; passed < 100 * HOUR; passed += HOUR)
		assert_true(permits(&clock, passed, (int64_t)(passed / 10000)));
	// Sleep goes on in both clocks.
	assert_true(permits(&clock, 1000 * HOUR, 0));
}

static void test_a_jump_ahead_holds_for_a_day(void **state)
{
	struct retention_clock clock = clock_of(START);
	uint64_t ahead_ns = 0;
	assert_true(permits(&clock, HOUR, 0));
	assert_false(retention_clock_permits(
		&clock, (struct retention_instant){START + 1500 * DAY, 2 * HOUR}, &ahead_ns));
	assert_int_equal(ahead_ns, 1500 * DAY - HOUR);
	assert_false(permits(&clock, 24 * HOUR, 1500 * (int64_t)DAY));
	// It is right again.
	assert_true(permits(&clock, 25 * HOUR, 0));
	// It stays ahead: believed after a day.
	assert_false(permits(&clock, 26 * HOUR, 9 * (int64_t)DAY));
	assert_false(permits(&clock, 49 * HOUR, 9 * (int64_t)DAY));
	assert_true(permits(&clock, 50 * HOUR, 9 * (int64_t)DAY));
	assert_true(permits(&clock, 51 * HOUR, 9 * (int64_t)DAY));
}

static void test_steps(void **state)
{
	struct retention_clock clock = clock_of(0);
	// Small ones, and any of them back: what is kept is more then.
	assert_true(permits(&clock, HOUR, (int64_t)HOUR / 2));
	assert_true(permits(&clock, 2 * HOUR, -5 * (int64_t)HOUR));
	// Right again, but that is a jump ahead.
	assert_false(permits(&clock, 3 * HOUR, 0));
	assert_true(permits(&clock, 27 * HOUR, 0));
}

static void test_a_start(void **state)
{
	// A server that was away for some days, or gets windows of the future.
	struct retention_clock clock = clock_of(START - 7 * DAY);
	assert_true(permits(&clock, 0, 0));
	clock = clock_of(START + 100 * DAY);
	assert_true(permits(&clock, 0, 0));
	// It would drop all that there is.
	clock = clock_of(START - 1500 * DAY);
	assert_false(permits(&clock, 0, 0));
	assert_false(permits(&clock, 23 * HOUR, 0));
	assert_true(clock.goes_by_window);
	assert_true(permits(&clock, 24 * HOUR, 0));
	// From then on, it goes by itself.
	assert_false(permits(&clock, 25 * HOUR, 9 * (int64_t)DAY));
	assert_false(clock.goes_by_window);
	clock = clock_of(START - 1500 * DAY);
	assert_false(permits(&clock, 0, 0));
	assert_true(permits(&clock, HOUR, -1500 * (int64_t)DAY));
}

int retention_clock_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_clock_that_goes_right),
		cmocka_unit_test(test_a_jump_ahead_holds_for_a_day),
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_a_start),
	};
	return cmocka_run_group_tests_name("retention_clock", tests, NULL, NULL);
}
