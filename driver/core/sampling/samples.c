// SPDX-License-Identifier: Apache-2.0

#include "driver/core/sampling/samples.h"

#include "driver/core/control.h"
#include "driver/core/core.h"

// The sampling of WindowsPerf's own driver: SET_SRC gives the events of a core, START and STOP
// switch its counters, GET takes the samples that wait. Refused are two events of cycles, as one
// counter counts them, and more others than free counters; they are not multiplexed, since a
// sample must say which event brought it. An event in the kernel must have at least
// WPERF_MIN_KERNEL_INTERVAL: with fewer, the interrupt would overflow the counter again by itself.

enum { MAX_EVENTS = DRIVER_MAX_EVENT_COUNTERS + 1 }; // and cycles

struct sources {
	struct wperf_sample_source head;
	unsigned num;
	struct wperf_sample_event events[MAX_EVENTS];
};

static bool samples_parse(const struct driver_call *call, struct sources *ret)
{
	// request.c has checked that there is a head, and whole events behind it.
	size_t rest = call->in_size - sizeof(ret->head);
	if (rest == 0 || rest > sizeof(ret->events))
		return false;
	memcpy(&ret->head, call->unsafe_in, sizeof(ret->head));
	memcpy(ret->events, (const uint8_t *)call->unsafe_in + sizeof(ret->head), rest);
	ret->num = (unsigned)(rest / sizeof(ret->events[0]));
	return true;
}

static bool is_good_event(const struct driver_core *core, const struct wperf_sample_event *event)
{
	bool is_known =
		event->event_src == WPERF_CYCLE_EVENT || event->event_src <= core->max_event;
	switch (event->filter_bits) {
	case WPERF_FILTER_EXCLUDE_EL1:
		return is_known && event->interval > 0;
	case 0:
	case WPERF_FILTER_EXCLUDE_EL0:
		return is_known && event->interval >= WPERF_MIN_KERNEL_INTERVAL;
	default:
		return false;
	}
}

static bool are_good_events(const struct driver_core *core, const struct sources *sources)
{
	unsigned num_cycles = 0;
	for (unsigned i = 0; i < sources->num; i++) {
		if (!is_good_event(core, &sources->events[i]))
			return false;
		num_cycles += sources->events[i].event_src == WPERF_CYCLE_EVENT;
	}
	const struct driver_counters *counters = &core->samplings[sources->head.core_idx].counters;
	return num_cycles <= counters->has_cycles && sources->num - num_cycles <= counters->num;
}

enum driver_status driver_samples_handle_set_source(struct driver_core *core,
						    struct driver_call *call)
{
	struct sources sources;
	if (core->config.no_interrupts)
		return DRIVER_NOT_SUPPORTED;
	if (!samples_parse(call, &sources) || sources.head.core_idx >= core->config.num_cores ||
	    !are_good_events(core, &sources))
		return DRIVER_INVALID_PARAMETER;
	struct driver_sampling *sampling = &core->samplings[sources.head.core_idx];
	if (sampling->is_running)
		return DRIVER_DEVICE_BUSY;
	driver_sampling_set_events(sampling, sources.events, sources.num);
	return DRIVER_OK;
}

enum driver_status driver_samples_handle_start(struct driver_core *core, struct driver_call *call)
{
	struct wperf_control control;
	enum driver_status status = driver_control_read_one_core(core, call, &control);
	if (status != DRIVER_OK)
		return status;
	unsigned cpu = control.cores_no[0];
	struct driver_sampling *sampling = &core->samplings[cpu];
	// Counting and sampling share the counters of a core.
	if (sampling->is_running || core->cores[cpu].period_ms)
		return DRIVER_DEVICE_BUSY;
	if (!driver_sampling_has_events(sampling))
		return DRIVER_INVALID_PARAMETER;
	driver_sampling_start(sampling);
	return DRIVER_OK;
}

enum driver_status driver_samples_handle_stop(struct driver_core *core, struct driver_call *call)
{
	struct wperf_control control;
	enum driver_status status = driver_control_read_one_core(core, call, &control);
	if (status != DRIVER_OK)
		return status;
	struct wperf_sample_summary summary;
	driver_sampling_stop(&core->samplings[control.cores_no[0]], &summary);
	return driver_call_reply(call, &summary, sizeof(summary));
}

enum driver_status driver_samples_handle_get(struct driver_core *core, struct driver_call *call)
{
	uint32_t cpu;
	memcpy(&cpu, call->unsafe_in, sizeof(cpu));
	if (cpu >= core->config.num_cores)
		return DRIVER_INVALID_PARAMETER;
	struct wperf_samples samples;
	driver_sampling_take(&core->samplings[cpu], &samples);
	return driver_call_reply(call, &samples, sizeof(samples));
}
