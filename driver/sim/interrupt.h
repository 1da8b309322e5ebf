/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_SIM_INTERRUPT_H
#define WPERF_DRIVER_SIM_INTERRUPT_H

/**
 * The overflow interrupts of the simulated cores. One comes in the nanosecond of its overflow, but
 * on the same core not within SIM_INTERRUPT_NS of the one before, which takes that long; counters
 * go on meanwhile.
 */

#include <stdint.h>

struct sim;

enum { SIM_INTERRUPT_NS = 2000 };

/** Of all cores the first that is due, up to @end_ns; SIM_NO_CPU: none. */
unsigned sim_interrupt_find(struct sim *sim, uint64_t end_ns);

/** It is time: call the driver's core there. */
void sim_interrupt_take(struct sim *sim, unsigned cpu);

#endif
