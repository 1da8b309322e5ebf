/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_SIM_SIM_H
#define WPERF_DRIVER_SIM_SIM_H

/**
 * A machine that is not there: registers in memory, and the driver's core on them. It answers
 * requests as the driver does on Windows, the same on every run and every host. Its time passes
 * only when it is told to, and what happens meanwhile is known exactly (driver/sim/load.h).
 */

#include "driver/sim/sim_machine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * @ret_field: with DRIVER_INVALID_PARAMETER, the name of the field of @config that is out of
 *             range; else untouched.
 */
enum driver_status sim_init(struct sim *sim, const struct sim_config *config,
			    const char **ret_field);

/** As driver_request(). */
enum driver_status sim_request(struct sim *sim, driver_client client, uint32_t code, const void *in,
			       size_t in_size, void *out, size_t out_size, size_t *ret_size);

/** The client closed its handle. */
void sim_close(struct sim *sim, driver_client client);

/** The core is switched off and on again: its counters are as after a reset. */
void sim_switch_off(struct sim *sim, unsigned cpu);

/** From now on this runs there. What is counted stays the same: only samples tell of it. */
void sim_run(struct sim *sim, unsigned cpu, const struct sim_task *task);

/**
 * Let time pass. Counters count, overflows interrupt and timers tick on their way; a tick that is
 * due at the very end comes only when time goes on. In which steps time passes makes no difference
 * to anything.
 */
void sim_advance(struct sim *sim, uint64_t duration_ns);

/**
 * Let time pass until somebody who waits for samples should be told (driver_core_has_enough()), or
 * so long.
 */
void sim_advance_until_enough(struct sim *sim, uint64_t max_duration_ns);

/**
 * How often has this happened since sim_init(), counted or not?
 * @event: a number, or WPERF_CYCLE_EVENT.
 */
uint64_t sim_truth(const struct sim *sim, unsigned core, uint64_t event, bool with_kernel);
uint64_t sim_truth_of_cluster(const struct sim *sim, unsigned cluster, uint64_t event);
uint64_t sim_truth_of_channel(const struct sim *sim, unsigned channel, enum driver_dmc_kind kind,
			      uint64_t event);

#endif
