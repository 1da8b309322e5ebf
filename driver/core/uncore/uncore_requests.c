// SPDX-License-Identifier: Apache-2.0

#include "driver/core/uncore/uncore_requests.h"

#include "driver/core/core.h"
#include "driver/core/uncore/dmc.h"
#include "driver/core/uncore/dsu.h"
#include "driver/include/wperf_driver.h"

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

enum driver_status driver_dsu_handle_init(struct driver_core *core, struct driver_call *call)
{
	struct wperf_dsu_topology topology;
	memcpy(&topology, call->unsafe_in, sizeof(topology));
	const struct driver_config *config = &core->config;
	if (config->dsu_clusters == 0)
		return DRIVER_NOT_SUPPORTED;
	// A client that sees other clusters would give counts to the wrong cores.
	if (topology.cluster_num != config->dsu_clusters ||
	    topology.cluster_size != config->dsu_cluster_size)
		return DRIVER_INVALID_PARAMETER;
	struct wperf_dsu_cfg dsu_cfg = {.fpc_num = 1,
					.gpc_num = (uint8_t)driver_dsu_count_counters(core)};
	return driver_call_reply(call, &dsu_cfg, sizeof(dsu_cfg));
}
