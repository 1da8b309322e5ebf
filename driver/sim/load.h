/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_SIM_LOAD_H
#define WPERF_DRIVER_SIM_LOAD_H

/**
 * What the simulated machine is busy with: the same for ever, and exactly known.
 *
 * Each event happens a whole number of times per millisecond. Up to a point in time it has
 * happened floor(rate * time) times; what happened in between is the difference of two of these,
 * so that the way in which time passes makes no difference to any sum.
 *
 * A core runs at its clock, always. Core n executes 0.50 + 0.25 * (n % 8) instructions per cycle.
 * The rows of load.c give other events a fixed share of cycles or instructions, such that the
 * shares make sense together: loads, stores, data processing and so on add up to less than all
 * instructions, a branch is predicted before it is mispredicted, a cache is accessed before it is
 * refilled, a level gets what the level above misses. One tenth of everything happens in the
 * kernel (EL1). What has no row happens rarely, by a hash of its number.
 *
 * An event of a cluster is the sum of the same one of its cores, but for cycles. Memory
 * controllers have clocks of 1.6 GHz, and half of that; their other events go by a hash.
 */

#include "driver/core/uncore/dmc.h"

#include <stdbool.h>
#include <stdint.h>

/** How often in a time, at this rate? */
uint64_t load_count(uint64_t per_ms, uint64_t time_ns);

/** The first time at which it has happened so often; UINT64_MAX: never. @count: 1 at least. */
uint64_t load_time(uint64_t per_ms, uint64_t count);

/**
 * Events of a core per millisecond.
 * @event: a number, or WPERF_CYCLE_EVENT.
 * @excluded: WPERF_FILTER_* of the level that does not count, or 0.
 */
uint64_t load_of_core(unsigned mhz, unsigned core, uint64_t event, uint64_t excluded);

/** Of the cluster of @num_cores cores from @first_core on. */
uint64_t load_of_cluster(unsigned mhz, unsigned first_core, unsigned num_cores, uint64_t event);

uint64_t load_of_channel(unsigned channel, enum driver_dmc_kind kind, uint64_t event);

/** Well mixed and the same everywhere. */
uint64_t load_hash(uint64_t value);

#endif
