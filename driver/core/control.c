// SPDX-License-Identifier: Apache-2.0

#include "driver/core/control.h"

#include "driver/core/core.h"
#include "driver/core/uncore/dsu.h"

// The three requests differ in one function per kind of unit (struct action). control_act() reads
// and checks the control once, and applies the action to the units that its flags name. A list of
// cores may name two cores of one cluster, so that actions on clusters must be idempotent.

enum {
	COUNTING_FLAGS = WPERF_CONTROL_CORE | WPERF_CONTROL_DSU | WPERF_CONTROL_DMC,
	ALL_FLAGS = COUNTING_FLAGS | WPERF_CONTROL_SPE,
};

// Copied once: the copy is what is checked and used.
enum driver_status driver_control_read(const struct driver_call *call, struct wperf_control *ret)
{
	memcpy(ret, call->unsafe_in, sizeof(*ret));
	if (ret->cores_count > WPERF_MAX_CORES || (ret->flags & ~(uint32_t)ALL_FLAGS))
		return DRIVER_INVALID_PARAMETER;
	return DRIVER_OK;
}

enum driver_status driver_control_check_cores(const struct driver_core *core,
					      const struct wperf_control *control)
{
	if (control->cores_count == 0)
		return DRIVER_INVALID_PARAMETER;
	for (uint64_t i = 0; i < control->cores_count; i++) {
		if (control->cores_no[i] >= core->config.num_cores)
			return DRIVER_INVALID_PARAMETER;
	}
	return DRIVER_OK;
}

enum driver_status driver_control_read_one_core(const struct driver_core *core,
						const struct driver_call *call,
						struct wperf_control *ret)
{
	enum driver_status status = driver_control_read(call, ret);
	if (status == DRIVER_OK)
		status = driver_control_check_cores(core, ret);
	if (status == DRIVER_OK && ret->cores_count != 1)
		status = DRIVER_INVALID_PARAMETER;
	return status;
}

enum driver_status driver_control_check_clusters(const struct driver_core *core,
						 const struct wperf_control *control)
{
	if (core->config.dsu_clusters == 0)
		return DRIVER_NOT_SUPPORTED;
	// Not a cluster but a core of it is named, as everywhere in the contract.
	for (uint64_t i = 0; i < control->cores_count; i++) {
		unsigned cluster;
		if (!driver_dsu_find_cluster(core, control->cores_no[i], &cluster))
			return DRIVER_INVALID_PARAMETER;
	}
	return driver_control_check_cores(core, control);
}

enum driver_status driver_control_find_channels(const struct driver_core *core, uint8_t dmc_idx,
						struct driver_channel_range *ret)
{
	unsigned num_channels = core->config.dmc_channels;
	if (num_channels == 0)
		return DRIVER_NOT_SUPPORTED;
	// 255: all channels.
	bool all = dmc_idx == WPERF_ALL_DMCS;
	if (!all && dmc_idx >= num_channels)
		return DRIVER_INVALID_PARAMETER;
	ret->first = all ? 0 : dmc_idx;
	ret->end = all ? num_channels : dmc_idx + 1U;
	return DRIVER_OK;
}

static enum driver_status check_units(const struct driver_core *core,
				      const struct wperf_control *control,
				      struct driver_channel_range *ret_channels)
{
	if (control->flags == 0 || (control->flags & ~(uint32_t)COUNTING_FLAGS))
		return DRIVER_INVALID_PARAMETER;
	enum driver_status status = driver_control_check_cores(core, control);
	if (status == DRIVER_OK && (control->flags & WPERF_CONTROL_DSU))
		status = driver_control_check_clusters(core, control);
	if (status == DRIVER_OK && (control->flags & WPERF_CONTROL_DMC))
		status = driver_control_find_channels(core, control->dmc_idx, ret_channels);
	return status;
}

struct action {
	void (*unit)(struct driver_counting *counting, unsigned period_ms);
	void (*channel)(struct driver_dmc_counting *counting, unsigned period_ms);
};

static enum driver_status control_act(struct driver_core *core, const struct driver_call *call,
				      const struct action *action)
{
	struct wperf_control control;
	struct driver_channel_range channels = {0, 0};
	enum driver_status status = driver_control_read(call, &control);
	if (status == DRIVER_OK)
		status = check_units(core, &control, &channels);
	if (status != DRIVER_OK)
		return status;
	bool is_usable =
		control.period >= WPERF_MIN_PERIOD_MS && control.period <= WPERF_MAX_PERIOD_MS;
	unsigned period_ms = is_usable ? (unsigned)control.period : WPERF_DEFAULT_PERIOD_MS;
	for (uint64_t i = 0; i < control.cores_count; i++) {
		unsigned cpu = control.cores_no[i], cluster;
		if (control.flags & WPERF_CONTROL_CORE)
			action->unit(&core->cores[cpu], period_ms);
		// A cluster may be met once per core: the second time changes nothing.
		if ((control.flags & WPERF_CONTROL_DSU) &&
		    driver_dsu_find_cluster(core, cpu, &cluster))
			action->unit(&core->clusters[cluster], period_ms);
	}
	for (unsigned channel = channels.first; channel < channels.end; channel++)
		action->channel(&core->channels[channel], period_ms);
	return DRIVER_OK;
}

enum driver_status driver_control_handle_start(struct driver_core *core, struct driver_call *call)
{
	static const struct action start = {driver_counting_start, driver_dmc_counting_start};
	struct wperf_control control;
	enum driver_status status = driver_control_read(call, &control);
	for (uint64_t i = 0; status == DRIVER_OK && i < control.cores_count; i++) {
		unsigned cpu = control.cores_no[i];
		if (!(control.flags & WPERF_CONTROL_CORE) || cpu >= core->config.num_cores)
			continue;
		// A core's counters count or sample: both would need them.
		if (core->samplings[cpu].is_running)
			status = DRIVER_DEVICE_BUSY;
		else if (!core->cores[cpu].counters.has_cycles)
			status = DRIVER_INSUFFICIENT_RESOURCES;
	}
	return status == DRIVER_OK ? control_act(core, call, &start) : status;
}

// A period means nothing to a stop or a reset; actions have one signature.
static void stop_unit(struct driver_counting *counting, unsigned period_ms)
{
	driver_counting_stop(counting);
}

static void stop_channel(struct driver_dmc_counting *counting, unsigned period_ms)
{
	driver_dmc_counting_stop(counting);
}

enum driver_status driver_control_handle_stop(struct driver_core *core, struct driver_call *call)
{
	static const struct action stop = {stop_unit, stop_channel};
	return control_act(core, call, &stop);
}

static void reset_unit(struct driver_counting *counting, unsigned period_ms)
{
	driver_counting_reset(counting);
}

static void reset_channel(struct driver_dmc_counting *counting, unsigned period_ms)
{
	driver_dmc_counting_reset(counting);
}

enum driver_status driver_control_handle_reset(struct driver_core *core, struct driver_call *call)
{
	static const struct action reset = {reset_unit, reset_channel};
	return control_act(core, call, &reset);
}
