// SPDX-License-Identifier: Apache-2.0

#include "driver/core/dmc.h"

#include "driver/core/core.h"
#include "driver/include/wperf_driver.h"

// No cycle counters. The numbers are those of the hardware, not the sizes of the answer's arrays.
static const struct wperf_dmc_cfg dmc_cfg = {
	.clk_fpc_num = 0,
	.clk_gpc_num = 2,
	.clkdiv2_fpc_num = 0,
	.clkdiv2_gpc_num = 8,
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
	return driver_call_reply(call, &dmc_cfg, sizeof(dmc_cfg));
}
