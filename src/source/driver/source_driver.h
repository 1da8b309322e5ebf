/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_DRIVER_SOURCE_DRIVER_H
#define WPERF_SOURCE_DRIVER_SOURCE_DRIVER_H

/** Windows on Arm: the driver of WindowsPerf, or ours, through its device. */

struct source_ops;

extern const struct source_ops source_driver_ops;

#endif
