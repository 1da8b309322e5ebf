// SPDX-License-Identifier: Apache-2.0

#include "source/memory/memory_rate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { LEAST = 1 << 19, MS = 1000000, MOST = 500 };

/** Samples of a program that allocates so many bytes in each millisecond. Returns how many. */
static unsigned run(struct memory_rate *rate, uint64_t *now_ns, uint64_t bytes, unsigned num_ms)
{
	unsigned num = 0;
	uint64_t due = 0;
	for (unsigned i = 0; i < num_ms; i++) {
		*now_ns += MS;
		for (due += bytes; due >= rate->period; num++) {
			due -= rate->period;
			memory_rate_note(rate, *now_ns, rate->period);
		}
	}
	return num;
}

static void a_slow_program_keeps_its_period(void **state)
{
	struct memory_rate rate = {.least = LEAST, .period = LEAST, .most = MOST};
	uint64_t now_ns = MS;
	// 200 samples a second.
	assert_in_range(run(&rate, &now_ns, LEAST / 5, 3000), 599, 600);
	assert_int_equal(rate.period, LEAST);
}

static void a_fast_program_has_few_samples(void **state)
{
	struct memory_rate rate = {.least = LEAST, .period = LEAST, .most = MOST};
	uint64_t now_ns = MS;
	assert_true(run(&rate, &now_ns, (uint64_t)LEAST * 40, 1000) < 2 * MOST);
	unsigned num = run(&rate, &now_ns, (uint64_t)LEAST * 40, 1000);
	assert_in_range(num, MOST / 4, MOST);
	// When it becomes slow, the period comes back; when fast again, it is longer at once.
	run(&rate, &now_ns, LEAST / 5, 60000);
	assert_true(rate.period <= 4 * LEAST);
	assert_true(run(&rate, &now_ns, (uint64_t)LEAST * 40, 1000) < 2 * MOST);
}

/** A program that is faster than wperf reads has drawn hundreds before it learns of the new one. */
static void samples_of_the_last_period_do_not_count(void **state)
{
	struct memory_rate rate = {.least = LEAST, .period = LEAST, .most = MOST};
	for (unsigned i = 0; i < 1000; i++)
		memory_rate_note(&rate, MS, LEAST);
	assert_int_equal(rate.period, 2 * LEAST);
}

int memory_rate_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_slow_program_keeps_its_period),
		cmocka_unit_test(a_fast_program_has_few_samples),
		cmocka_unit_test(samples_of_the_last_period_do_not_count),
	};
	return cmocka_run_group_tests_name("memory_rate", tests, NULL, NULL);
}
