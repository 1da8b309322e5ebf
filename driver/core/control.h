/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_CONTROL_H
#define WPERF_DRIVER_CORE_CONTROL_H

/** The struct wperf_control that most requests start from, and those that need nothing else. */

#include "driver/core/call.h"
#include "driver/include/wperf_driver.h"

/** Copy it; cores_count and flags have been checked for what no request could mean. */
enum driver_status driver_control_read(const struct driver_call *call, struct wperf_control *ret);

/** Its cores exist. */
enum driver_status driver_control_check_cores(const struct driver_core *core,
					      const struct wperf_control *control);

/** Read and check: exactly one core, which exists. */
enum driver_status driver_control_read_one_core(const struct driver_core *core,
						const struct driver_call *call,
						struct wperf_control *ret);

/** Its cores exist and are in clusters. */
enum driver_status driver_control_check_clusters(const struct driver_core *core,
						 const struct wperf_control *control);

/** Channels, from @first to before @end. */
struct driver_channel_range {
	unsigned first, end;
};

/** @dmc_idx: a channel, or WPERF_ALL_DMCS. */
enum driver_status driver_control_find_channels(const struct driver_core *core, uint8_t dmc_idx,
						struct driver_channel_range *ret);

/** Handlers of WPERF_PMU_CTL_START, _STOP and _RESET. */
driver_handler_fn driver_control_handle_start;
driver_handler_fn driver_control_handle_stop;
driver_handler_fn driver_control_handle_reset;

#endif
