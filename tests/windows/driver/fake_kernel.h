/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_WINDOWS_DRIVER_FAKE_KERNEL_H
#define WPERF_TESTS_WINDOWS_DRIVER_FAKE_KERNEL_H

/**
 * As much of Windows' kernel and HAL as driver/windows/machine_arm64.c and what is below it take,
 * in a program: so that they run where there is no Arm. Registers are those of driver/sim.
 */

#include "driver/sim/sim.h"
#include "driver/windows/kernel.h"
#include "driver/windows/trap_frame_arm64.h"

enum { FAKE_CPUS = 4, FAKE_COUNTERS = 6 }; /* for events; the last one is for cycles */

struct fake_kernel {
	struct sim sim; /* its own core is not used */
	unsigned cpu;   /* that runs now */

	unsigned num_pools;       /* allocated, not yet freed */
	unsigned num_allocations; /* until one fails; 0: none does */
	unsigned num_handles;     /* of counters */
	uint32_t busy_counters;   /* that another driver holds: at first 0 */
	unsigned num_counter_requests;
	bool refuses_handler;
	void (*handler)(const struct trap_frame *frame); /* of the PMI */
	unsigned num_timers;                             /* that are set */
	unsigned num_masked;                             /* interrupts, minus unmasked */
	unsigned num_faults;                             /* what a kernel would not have let pass */
	uint32_t dsu_cluster_size;

	bool has_no_trace;                   /* the kernel lacks the routines of ETW */
	bool hears;                          /* somebody records what is written */
	unsigned num_providers;              /* registered, not yet unregistered */
	unsigned num_events;                 /* written */
	uint64_t heard[FAKE_COUNTERS + 1];   /* sums of counters; the last is of the cycles */
	uint32_t heard_event[FAKE_COUNTERS]; /* that was last on it */
};

extern struct fake_kernel fake_kernel;

void fake_kernel_init(void);

/** All timers are due. */
void fake_kernel_tick(uint64_t ns);

/** The PMI comes on this CPU. */
void fake_kernel_interrupt(unsigned cpu, const struct trap_frame *frame);

#endif
