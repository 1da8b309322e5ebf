// SPDX-License-Identifier: Apache-2.0

#include "session/off_cpu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static struct off_cpu_absence absence_at(uint64_t time_ns, uint32_t stack)
{
	return (struct off_cpu_absence){.sample = {.time_ns = time_ns, .stack = stack}};
}

static void sample(struct off_cpu *off_cpu, uint32_t tid, uint64_t time_ns, uint32_t stack)
{
	struct off_cpu_absence absence = absence_at(time_ns, stack);
	assert_no_error(off_cpu_sample(off_cpu, tid, &absence));
}

static void leave(struct off_cpu *off_cpu, uint32_t tid, uint64_t time_ns)
{
	struct off_cpu_absence absence = absence_at(time_ns, STACK_NONE);
	absence.is_unsampled = true;
	assert_no_error(off_cpu_leave(off_cpu, tid, &absence));
}

static void an_absence_has_the_stack_of_its_sample(void **state)
{
	_cleanup_(off_cpu_deinit) struct off_cpu off_cpu = OFF_CPU_INIT;
	struct off_cpu_absence found;
	sample(&off_cpu, 7, 100, 3);
	assert_false(off_cpu_return(&off_cpu, 7, &found)); // it did not leave
	sample(&off_cpu, 7, 100, 3);
	leave(&off_cpu, 7, 105);
	sample(&off_cpu, 8, 110, 4);
	assert_true(off_cpu_return(&off_cpu, 7, &found));
	assert_int_equal(found.sample.stack, 3);
	assert_int_equal(found.sample.time_ns, 105);
	assert_false(found.is_unsampled);
	assert_false(off_cpu_return(&off_cpu, 7, &found));
	assert_false(off_cpu_return(&off_cpu, 9, &found));
}

static void what_was_lost_between_is_no_absence(void **state)
{
	_cleanup_(off_cpu_deinit) struct off_cpu off_cpu = OFF_CPU_INIT;
	struct off_cpu_absence found;
	sample(&off_cpu, 7, 100, 3);
	leave(&off_cpu, 7, 100);
	sample(&off_cpu, 7, 200, 4); // it must have been back
	leave(&off_cpu, 7, 200);
	leave(&off_cpu, 7, 300); // and once more, without a sample
	assert_true(off_cpu_return(&off_cpu, 7, &found));
	assert_int_equal(found.sample.time_ns, 300);
	assert_true(found.is_unsampled);
}

static void those_that_are_away_are_taken_once(void **state)
{
	_cleanup_(off_cpu_deinit) struct off_cpu off_cpu = OFF_CPU_INIT;
	struct off_cpu_absence found;
	for (uint32_t tid = 1; tid <= 1000; tid++)
		leave(&off_cpu, tid, tid);
	assert_true(off_cpu_return(&off_cpu, 500, &found));
	uint64_t sum = 0, num = 0;
	for (; off_cpu_take(&off_cpu, &found); num++)
		sum += found.sample.time_ns;
	assert_int_equal(num, 999);
	assert_int_equal(sum, 1000 * 1001 / 2 - 500);
	assert_false(off_cpu_take(&off_cpu, &found));
}

int off_cpu_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_absence_has_the_stack_of_its_sample),
		cmocka_unit_test(what_was_lost_between_is_no_absence),
		cmocka_unit_test(those_that_are_away_are_taken_once),
	};
	return cmocka_run_group_tests_name("off_cpu", tests, NULL, NULL);
}
