// SPDX-License-Identifier: Apache-2.0

#include "driver/core/uncore/dmc.h"

#include "driver/core/core.h"
#include "driver/include/wperf_driver.h"

const struct driver_dmc_kind_info driver_dmc_kinds[NUM_DRIVER_DMC_KINDS] = {
	[DRIVER_DMC_CLK] = {.first_counter = 8,
			    .num_counters = 2,
			    .num_events = DRIVER_DMC_CLK_EVENTS},
	[DRIVER_DMC_CLKDIV2] = {.first_counter = 0,
				.num_counters = DRIVER_DMC_MAX_COUNTERS,
				.num_events = DRIVER_DMC_CLKDIV2_EVENTS},
};

enum driver_status driver_dmc_handle_init(struct driver_core *core, struct driver_call *call)
{
	struct wperf_dmc_channels channels;
	memcpy(&channels, call->unsafe_in, sizeof(channels));
	size_t num_ranges = (call->in_size - sizeof(channels)) / sizeof(struct wperf_dmc_range);
	if (channels.num != num_ranges)
		return DRIVER_INVALID_PARAMETER;
	if (core->config.dmc_channels == 0)
		return DRIVER_NOT_SUPPORTED;
	// The client will name channels by these numbers. The addresses stay unread: which memory
	// is a controller is not for a client to say.
	if (channels.num != core->config.dmc_channels)
		return DRIVER_INVALID_PARAMETER;
	// No cycle counters. The numbers are those of the hardware, not the sizes of the answer's
	// arrays.
	const struct wperf_dmc_cfg dmc_cfg = {
		.clk_gpc_num = (uint8_t)driver_dmc_kinds[DRIVER_DMC_CLK].num_counters,
		.clkdiv2_gpc_num = (uint8_t)driver_dmc_kinds[DRIVER_DMC_CLKDIV2].num_counters,
	};
	return driver_call_reply(call, &dmc_cfg, sizeof(dmc_cfg));
}
