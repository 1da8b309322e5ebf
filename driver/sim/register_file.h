/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_SIM_REGISTER_FILE_H
#define WPERF_DRIVER_SIM_REGISTER_FILE_H

/**
 * The registers of a struct sim. A counter is brought up to date when it is looked at: it has
 * grown by what happened since the last time. What an access would crash on counts as a fault:
 * registers that do not exist, and those of a CPU from another one.
 */

#include "driver/core/registers.h"

struct sim;

/** As they are after a reset, when much of them is unknown. */
void register_file_reset(struct sim *sim);

/** The context is the struct sim. */
extern const struct driver_register_ops register_file_ops;

#endif
