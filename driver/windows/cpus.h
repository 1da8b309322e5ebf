/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_WINDOWS_CPUS_H
#define WPERF_DRIVER_WINDOWS_CPUS_H

/**
 * The CPUs of this computer, by the numbers that clients use: to run something on one, and to run
 * something there again and again. Both are DPCs with interrupts masked: on a CPU none of them, nor
 * a PMI, interrupts another.
 */

#include "driver/include/wperf_driver.h"
#include "driver/windows/kernel.h"

typedef void cpus_fn(void *argument);
typedef void cpus_tick_fn(void *context, unsigned cpu);

struct cpus_timer {
	struct cpus *cpus;
	unsigned cpu;
	KTIMER timer;
	KDPC dpc;
	unsigned period_ms; /* 0: off */
};

/** Must not be moved. */
struct cpus {
	unsigned num; /* WPERF_MAX_CORES at most; computers may have more */
	cpus_tick_fn *tick;
	void *context;

	KDPC order; /* of the one call of cpus_run() */
	KEVENT order_done;
	cpus_fn *function;
	void *argument;

	struct cpus_timer timers[WPERF_MAX_CORES];
};

void cpus_init(struct cpus *cpus, cpus_tick_fn *tick, void *context);

/** Nothing runs any more. At PASSIVE_LEVEL. */
void cpus_deinit(struct cpus *cpus);

/**
 * Run it on this CPU and wait. One call at a time, up to APC_LEVEL. What it touches must be
 * resident, as the stack of who waits in kernel mode is.
 */
void cpus_run(struct cpus *cpus, unsigned cpu, cpus_fn *function, void *argument);

/** From now on call `tick` on that CPU with this period; 0: never again, or once more. */
void cpus_set_period(struct cpus *cpus, unsigned cpu, unsigned period_ms);

#endif
