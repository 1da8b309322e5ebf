/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_SIM_SPE_UNIT_H
#define WPERF_DRIVER_SIM_SPE_UNIT_H

/**
 * The statistical profiling unit of a simulated core, as far as a driver sees it: registers that
 * say what is profiled and where the records go, and records that are there when it is looked at.
 * Of the operations that the core executes, one per interval is sampled. One in a thousand
 * samples meets the one before, and is a collision.
 */

#include <stdbool.h>
#include <stdint.h>

struct sim;

/** The PMU's events of SPE, from this number on: operations, samples, those that were kept, those
 *  that met another. */
enum { SIM_SPE_FIRST_EVENT = 0x4000, SIM_SPE_NUM_EVENTS = 4 };

struct sim_spe_unit {
	uint64_t updated_ns;
	bool is_armed;
	uint64_t next; /* operation that is sampled next, of all that were executed; if armed */
	uint64_t counts[SIM_SPE_NUM_EVENTS]; /* how often the events happened */
};

/** Up to now: before its registers, memory or events are looked at, or written. */
void sim_spe_unit_update(struct sim *sim, unsigned cpu);

#endif
