/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_UNCORE_DMC_COUNTING_H
#define WPERF_DRIVER_CORE_UNCORE_DMC_COUNTING_H

/**
 * Counting with one channel of a memory controller. Its two kinds of counters have events of
 * their own, as many as there are counters and no more: nobody takes turns. The counters have 32
 * bits, ticks keep them from going round unnoticed.
 */

#include "driver/core/registers.h"
#include "driver/core/uncore/dmc.h"
#include "driver/include/wperf_driver.h"

struct driver_dmc_event {
	uint64_t value;
	uint32_t last; /* what the counter showed when we looked last */
	uint16_t number;
};

/** The events of one kind of counters. */
struct driver_dmc_events {
	unsigned num;
	uint64_t round; /* periods that have begun */
	struct driver_dmc_event items[DRIVER_DMC_MAX_COUNTERS];
};

struct driver_dmc_counting {
	const struct driver_registers *registers;
	unsigned channel;
	unsigned period_ms;    /* 0: it stands still */
	unsigned suspended_ms; /* the period that it goes on with when the computer has slept */
	struct driver_dmc_events kinds[NUM_DRIVER_DMC_KINDS];
};

/** @registers: must outlive the counting. No events yet. */
void driver_dmc_counting_init(struct driver_dmc_counting *counting,
			      const struct driver_registers *registers, unsigned channel);

/** Count these instead, from zero, and leave the other kind alone. @num: at most its counters. */
void driver_dmc_counting_assign(struct driver_dmc_counting *counting, enum driver_dmc_kind kind,
				const uint16_t *numbers, unsigned num);

/** As those of driver/core/counting.h; all of them go to DRIVER_DMC_CPU. */
void driver_dmc_counting_suspend(struct driver_dmc_counting *counting);
void driver_dmc_counting_resume(struct driver_dmc_counting *counting);
void driver_dmc_counting_start(struct driver_dmc_counting *counting, unsigned period_ms);
void driver_dmc_counting_stop(struct driver_dmc_counting *counting);
void driver_dmc_counting_reset(struct driver_dmc_counting *counting);
void driver_dmc_counting_read(struct driver_dmc_counting *counting, struct wperf_dmc_counts *ret);

/** On DRIVER_DMC_CPU. */
void driver_dmc_counting_tick(struct driver_dmc_counting *counting);

#endif
