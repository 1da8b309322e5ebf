// SPDX-License-Identifier: Apache-2.0

#include "driver/core/counts.h"

#include "driver/core/control.h"
#include "driver/core/core.h"
#include "driver/core/uncore/dsu.h"

enum driver_status driver_counts_handle_core(struct driver_core *core, struct driver_call *call)
{
	struct wperf_control control;
	enum driver_status status = driver_control_read_one_core(core, call, &control);
	if (status != DRIVER_OK)
		return status;
	struct wperf_core_counts counts;
	memset(&counts, 0, sizeof(counts));
	counts.evt_num =
		driver_counting_read(&core->cores[control.cores_no[0]], &counts.round, counts.evts);
	return driver_call_reply(call, &counts, sizeof(counts));
}

enum driver_status driver_counts_handle_dsu(struct driver_core *core, struct driver_call *call)
{
	struct wperf_control control;
	enum driver_status status = driver_control_read_one_core(core, call, &control);
	if (status == DRIVER_OK)
		status = driver_control_check_clusters(core, &control);
	if (status != DRIVER_OK)
		return status;
	unsigned cluster = 0;
	driver_dsu_find_cluster(core, control.cores_no[0], &cluster);
	struct wperf_dsu_counts counts;
	memset(&counts, 0, sizeof(counts));
	counts.evt_num = driver_counting_read(&core->clusters[cluster], &counts.round, counts.evts);
	return driver_call_reply(call, &counts, sizeof(counts));
}

// One by one: those of all channels would be too much for a kernel's stack.
enum driver_status driver_counts_handle_dmc(struct driver_core *core, struct driver_call *call)
{
	struct wperf_control control;
	struct driver_channel_range channels;
	enum driver_status status = driver_control_read(call, &control);
	if (status == DRIVER_OK)
		status = driver_control_find_channels(core, control.dmc_idx, &channels);
	if (status != DRIVER_OK)
		return status;
	struct wperf_dmc_counts counts;
	if ((channels.end - channels.first) * sizeof(counts) > call->out_size)
		return DRIVER_INSUFFICIENT_RESOURCES;
	for (unsigned channel = channels.first; channel < channels.end; channel++) {
		driver_dmc_counting_read(&core->channels[channel], &counts);
		status = driver_call_append(call, &counts, sizeof(counts));
		if (status != DRIVER_OK)
			return status;
	}
	return DRIVER_OK;
}
