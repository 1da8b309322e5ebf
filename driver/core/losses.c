// SPDX-License-Identifier: Apache-2.0

#include "driver/core/losses.h"

#include "driver/core/core.h"

enum driver_status driver_losses_handle_query(struct driver_core *core, struct driver_call *call)
{
	struct wperf_losses losses = {.lost_rounds = 0};
	for (unsigned cpu = 0; cpu < core->config.num_cores; cpu++) {
		losses.lost_rounds += core->cores[cpu].num_lost_rounds;
		losses.lost_samplings += core->samplings[cpu].num_lost_states;
		losses.num_throttled += core->samplings[cpu].num_throttled;
	}
	for (unsigned cluster = 0; cluster < core->config.dsu_clusters; cluster++)
		losses.lost_rounds += core->clusters[cluster].num_lost_rounds;
	return driver_call_reply(call, &losses, sizeof(losses));
}
