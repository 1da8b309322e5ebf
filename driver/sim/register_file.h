/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_SIM_REGISTER_FILE_H
#define WPERF_DRIVER_SIM_REGISTER_FILE_H

/**
 * The registers of a struct sim. A counter is brought up to date when it is looked at: it has
 * grown by what happened since the last time. What an access would crash on counts as a fault:
 * registers that do not exist, and those of a CPU from another one.
 */

#include "driver/core/registers.h"

#include <stdbool.h>

struct sim;

/** As they are after a reset, when much of them is unknown. */
void register_file_reset(struct sim *sim);

/**
 * The CPU was off: what can be written is 0. So it is with the registers of its cluster, if they
 * are kept with it, being the first.
 */
void register_file_switch_off(struct sim *sim, unsigned cpu);

/** One that only SPE makes happen: there is no load of it. */
bool register_file_is_spe_event(const struct sim *sim, uint64_t event);

/**
 * When does the next counter of a core overflow that may interrupt? Now, if one has; UINT64_MAX:
 * none will.
 */
uint64_t register_file_overflow_time(struct sim *sim, unsigned cpu);

/** What has overflowed and may interrupt: its event and filter. False: nothing. */
bool register_file_find_overflow(struct sim *sim, unsigned cpu, uint64_t *ret_event,
				 uint64_t *ret_filter);

/** The context is the struct sim. */
extern const struct driver_register_ops register_file_ops;

#endif
