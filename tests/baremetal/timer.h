/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_BAREMETAL_TIMER_H
#define WPERF_TESTS_BAREMETAL_TIMER_H

/** The virtual timer of EL1: calls back once per period, when interrupts may come. */

#include "tests/baremetal/interrupts.h"

#include <stdint.h>

typedef void timer_fn(void *context);

struct timer {
	timer_fn *tick;
	void *context;
	unsigned period_ms; /* 0: off */
	volatile unsigned num_ticks;
};

void timer_init(struct timer *timer, struct interrupts *interrupts, timer_fn *tick, void *context);

/** The first tick comes a period from now; a timer that has this period already just goes on. */
void timer_set_period(struct timer *timer, unsigned period_ms);

#endif
