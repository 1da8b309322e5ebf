/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_SIM_SOURCE_SIM_H
#define WPERF_SOURCE_SIM_SOURCE_SIM_H

/** The source `sim`: the driver's core on simulated registers, the same on every machine. */

struct source_ops;

extern const struct source_ops source_sim_ops;

#endif
