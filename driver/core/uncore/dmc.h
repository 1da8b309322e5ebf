/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_UNCORE_DMC_H
#define WPERF_DRIVER_CORE_UNCORE_DMC_H

/** Dynamic memory controllers: two kinds of counters, by the clock that they run on. */

enum driver_dmc_kind {
	DRIVER_DMC_CLK,
	DRIVER_DMC_CLKDIV2,
	NUM_DRIVER_DMC_KINDS,
};

/** Events are numbered from 0. */
enum {
	DRIVER_DMC_CLK_EVENTS = 3,
	DRIVER_DMC_CLKDIV2_EVENTS = 26,
	DRIVER_DMC_MAX_COUNTERS = 8, /* of one kind */
	DRIVER_DMC_NUM_COUNTERS = 10,
	/* A channel belongs to no CPU; this one looks after all of them. */
	DRIVER_DMC_CPU = 0,
};

extern const struct driver_dmc_kind_info {
	unsigned first_counter, num_counters; /* of a channel */
	unsigned num_events;
} driver_dmc_kinds[NUM_DRIVER_DMC_KINDS];

#endif
