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

static void wake(struct off_cpu *off_cpu, uint32_t tid, uint32_t waker, uint64_t time_ns)
{
	const struct off_cpu_link link = {
		.cause = waker ? WAKE_BY_THREAD : WAKE_BY_TIMER,
		.thread = waker,
		.stack = 10 * waker,
	};
	off_cpu_wake(off_cpu, tid, waker, time_ns, &link);
}

static struct off_cpu_wake come_back(struct off_cpu *off_cpu, uint32_t tid)
{
	struct off_cpu_absence found;
	assert_true(off_cpu_return(off_cpu, tid, &found));
	return found.wake;
}

static void a_wake_is_that_of_the_absence_which_it_ends(void **state)
{
	_cleanup_(off_cpu_deinit) struct off_cpu off_cpu = OFF_CPU_INIT;
	const struct off_cpu_link link = {.cause = WAKE_BY_THREAD};
	assert_false(off_cpu_wake(&off_cpu, 7, 9, 100, &link)); // nobody knows it
	leave(&off_cpu, 7, 200);
	wake(&off_cpu, 7, 9, 150); // older than the absence
	wake(&off_cpu, 7, 9, 300);
	wake(&off_cpu, 7, 8, 301); // it is awake already
	struct off_cpu_wake found = come_back(&off_cpu, 7);
	assert_int_equal(found.num_links, 1);
	assert_int_equal(found.links[0].thread, 9);
	assert_int_equal(found.links[0].stack, 90);
	assert_int_equal(found.time_ns, 300);
	assert_int_equal(found.left_ns, 200);
	assert_false(off_cpu_wake(&off_cpu, 7, 9, 400, &link)); // it runs
	leave(&off_cpu, 7, 500);
	assert_int_equal(come_back(&off_cpu, 7).num_links, 0);
}

static void a_preempted_thread_is_not_woken(void **state)
{
	_cleanup_(off_cpu_deinit) struct off_cpu off_cpu = OFF_CPU_INIT;
	const struct off_cpu_link link = {.cause = WAKE_BY_THREAD};
	struct off_cpu_absence absence = absence_at(100, STACK_NONE);
	absence.is_preempted = true;
	assert_no_error(off_cpu_leave(&off_cpu, 7, &absence));
	assert_false(off_cpu_wake(&off_cpu, 7, 9, 200, &link));
}

static void who_woke_the_waker_meanwhile_is_behind_it(void **state)
{
	_cleanup_(off_cpu_deinit) struct off_cpu off_cpu = OFF_CPU_INIT;
	leave(&off_cpu, 7, 100);
	leave(&off_cpu, 8, 200);
	leave(&off_cpu, 9, 250);
	wake(&off_cpu, 9, 0, 300);
	come_back(&off_cpu, 9);
	wake(&off_cpu, 8, 9, 310);
	come_back(&off_cpu, 8);
	wake(&off_cpu, 7, 8, 320);
	struct off_cpu_wake found = come_back(&off_cpu, 7);
	assert_int_equal(found.num_links, 3);
	assert_int_equal(found.links[0].thread, 8);
	assert_int_equal(found.links[1].thread, 9);
	assert_int_equal(found.links[2].cause, WAKE_BY_TIMER);
	assert_false(found.is_cut);
	// What woke the waker before the other one left has nothing to do with its wait.
	leave(&off_cpu, 7, 400);
	wake(&off_cpu, 7, 8, 410);
	assert_int_equal(come_back(&off_cpu, 7).num_links, 1);
}

static void of_the_wakers_waits_the_longest_counts(void **state)
{
	_cleanup_(off_cpu_deinit) struct off_cpu off_cpu = OFF_CPU_INIT;
	leave(&off_cpu, 7, 1000);
	leave(&off_cpu, 8, 100); // of its 1,000 ns only 100 are within the wait of 7
	wake(&off_cpu, 8, 1, 1100);
	come_back(&off_cpu, 8);
	leave(&off_cpu, 8, 1200);
	wake(&off_cpu, 8, 2, 1500);
	come_back(&off_cpu, 8);
	for (uint32_t i = 0; i < 20; i++) { // short ones do not push it out
		leave(&off_cpu, 8, 1600 + 10 * i);
		wake(&off_cpu, 8, 3, 1605 + 10 * i);
		come_back(&off_cpu, 8);
	}
	wake(&off_cpu, 7, 8, 2000);
	struct off_cpu_wake found = come_back(&off_cpu, 7);
	assert_int_equal(found.num_links, 2);
	assert_int_equal(found.links[1].thread, 2);
}

static void a_long_chain_is_cut(void **state)
{
	_cleanup_(off_cpu_deinit) struct off_cpu off_cpu = OFF_CPU_INIT;
	for (uint32_t tid = 1; tid <= 6; tid++)
		leave(&off_cpu, tid, 100 + tid);
	struct off_cpu_wake found = {0};
	for (uint32_t tid = 6; tid >= 1; tid--) {
		wake(&off_cpu, tid, tid + 1, 200 - tid);
		found = come_back(&off_cpu, tid);
		assert_int_equal(found.is_cut, tid < 3);
	}
	assert_int_equal(found.num_links, OFF_CPU_MAX_LINKS);
	assert_int_equal(found.links[OFF_CPU_MAX_LINKS - 1].thread, 5);
}

static void a_new_thread_has_no_wakes_of_the_old_one(void **state)
{
	_cleanup_(off_cpu_deinit) struct off_cpu off_cpu = OFF_CPU_INIT;
	leave(&off_cpu, 7, 100);
	leave(&off_cpu, 8, 150);
	wake(&off_cpu, 8, 9, 200);
	come_back(&off_cpu, 8);
	assert_no_error(off_cpu_end(&off_cpu, 8));
	off_cpu_begin(&off_cpu, 8);
	wake(&off_cpu, 7, 8, 300);
	assert_int_equal(come_back(&off_cpu, 7).num_links, 1);
}

int off_cpu_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_absence_has_the_stack_of_its_sample),
		cmocka_unit_test(what_was_lost_between_is_no_absence),
		cmocka_unit_test(those_that_are_away_are_taken_once),
		cmocka_unit_test(a_wake_is_that_of_the_absence_which_it_ends),
		cmocka_unit_test(a_preempted_thread_is_not_woken),
		cmocka_unit_test(who_woke_the_waker_meanwhile_is_behind_it),
		cmocka_unit_test(of_the_wakers_waits_the_longest_counts),
		cmocka_unit_test(a_long_chain_is_cut),
		cmocka_unit_test(a_new_thread_has_no_wakes_of_the_old_one),
	};
	return cmocka_run_group_tests_name("off_cpu", tests, NULL, NULL);
}
