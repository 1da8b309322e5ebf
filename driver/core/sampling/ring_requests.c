// SPDX-License-Identifier: Apache-2.0

#include "driver/core/sampling/ring_requests.h"

#include "driver/core/control.h"
#include "driver/core/core.h"

// A read returns as many whole samples as fit into the output; that there are more is in the
// answer. A wait that finds nothing returns DRIVER_PENDING, and its user asks again after other
// requests and interrupts (core.h): the core itself cannot wait. When no core samples into its ring
// any more, a wait ends at once, so that a client never hangs.

enum { CORES_OF_WORD = 64 };

static bool has_rings(const struct driver_core *core)
{
	return core->samplings[0].ring.memory && !core->config.no_interrupts;
}

enum driver_status driver_ring_handle_query(struct driver_core *core, struct driver_call *call)
{
	if (!has_rings(core))
		return DRIVER_NOT_SUPPORTED;
	const struct driver_register_ops *ops = core->registers.ops;
	struct wperf_ring_info info = {
		.version = WPERF_RING_VERSION,
		.features = (ops->read_task ? WPERF_RING_TASKS : 0u) |
			    (ops->read_frame ? WPERF_RING_CALLERS : 0u),
		.ring_size = (uint32_t)core->samplings[0].ring.size,
		.max_callers = WPERF_RING_MAX_CALLERS,
		.timer_frequency = driver_registers_fetch(&core->registers, 0, DRIVER_CNTFRQ_EL0),
		.timer_now = driver_registers_fetch(&core->registers, 0, DRIVER_CNTVCT_EL0),
	};
	return driver_call_reply(call, &info, sizeof(info));
}

static enum driver_status ring_requests_check_cores(const struct driver_core *core,
						    const struct wperf_control *control)
{
	enum driver_status status = driver_control_check_cores(core, control);
	for (uint64_t i = 0; status == DRIVER_OK && i < control->cores_count; i++) {
		unsigned cpu = control->cores_no[i];
		const struct driver_sampling *sampling = &core->samplings[cpu];
		if (sampling->is_running || core->cores[cpu].period_ms)
			status = DRIVER_DEVICE_BUSY;
		else if (!driver_sampling_has_events(sampling))
			status = DRIVER_INVALID_PARAMETER;
	}
	return status;
}

enum driver_status driver_ring_handle_start(struct driver_core *core, struct driver_call *call)
{
	if (!has_rings(core))
		return DRIVER_NOT_SUPPORTED;
	struct wperf_ring_start start;
	memcpy(&start, call->unsafe_in, sizeof(start));
	if (start.max_callers > WPERF_RING_MAX_CALLERS)
		return DRIVER_INVALID_PARAMETER;
	enum driver_status status = driver_control_read(call, &start.control);
	if (status == DRIVER_OK)
		status = ring_requests_check_cores(core, &start.control);
	if (status != DRIVER_OK)
		return status;
	for (uint64_t i = 0; i < start.control.cores_count; i++)
		driver_sampling_start_ring(&core->samplings[start.control.cores_no[i]],
					   start.max_callers);
	return DRIVER_OK;
}

enum driver_status driver_ring_handle_stop(struct driver_core *core, struct driver_call *call)
{
	if (!has_rings(core))
		return DRIVER_NOT_SUPPORTED;
	struct wperf_control control;
	enum driver_status status = driver_control_read(call, &control);
	if (status == DRIVER_OK)
		status = driver_control_check_cores(core, &control);
	if (status != DRIVER_OK)
		return status;
	struct wperf_sample_summary sum = {0, 0};
	struct wperf_ring_ready stopped = {{0}};
	for (uint64_t i = 0; i < control.cores_count; i++) {
		unsigned cpu = control.cores_no[i];
		uint64_t *word = &stopped.cores[cpu / CORES_OF_WORD];
		uint64_t bit = UINT64_C(1) << cpu % CORES_OF_WORD;
		if (*word & bit)
			continue; // named twice: it has nothing more to tell
		*word |= bit;
		struct wperf_sample_summary summary;
		driver_sampling_stop(&core->samplings[cpu], &summary);
		sum.sample_generated += summary.sample_generated;
		sum.sample_dropped += summary.sample_dropped;
	}
	return driver_call_reply(call, &sum, sizeof(sum));
}

enum driver_status driver_ring_handle_read(struct driver_core *core, struct driver_call *call)
{
	if (!has_rings(core))
		return DRIVER_NOT_SUPPORTED;
	struct wperf_ring_read request;
	struct wperf_ring_answer answer;
	memcpy(&request, call->unsafe_in, sizeof(request));
	if (request.core_idx >= core->config.num_cores)
		return DRIVER_INVALID_PARAMETER;
	struct driver_ring *ring = &core->samplings[request.core_idx].ring;
	bool was_empty = driver_ring_fill(ring) == 0;
	size_t size = driver_ring_take(ring, (uint8_t *)call->out + sizeof(answer),
				       call->out_size - sizeof(answer));
	// Not even one sample fits: the client must offer more.
	if (size == 0 && !was_empty)
		return DRIVER_INSUFFICIENT_RESOURCES;
	answer.size = (uint32_t)size;
	answer.left = (uint32_t)driver_ring_fill(ring);
	memcpy(call->out, &answer, sizeof(answer));
	call->ret_size = sizeof(answer) + size;
	return DRIVER_OK;
}

/** Which cores have samples, and is there a reason to say so? */
static bool ring_requests_find_ready(const struct driver_core *core, struct wperf_ring_ready *ret)
{
	bool has_enough = false, is_running = false;
	for (unsigned cpu = 0; cpu < core->config.num_cores; cpu++) {
		const struct driver_sampling *sampling = &core->samplings[cpu];
		if (driver_ring_fill(&sampling->ring))
			ret->cores[cpu / CORES_OF_WORD] |= UINT64_C(1) << cpu % CORES_OF_WORD;
		has_enough = has_enough || driver_ring_has_enough(&sampling->ring);
		is_running = is_running || driver_sampling_fills_ring(sampling);
	}
	// Nothing runs, so nothing more will come: there is no reason to wait.
	return has_enough || !is_running;
}

enum driver_status driver_ring_handle_wait(struct driver_core *core, struct driver_call *call)
{
	if (!has_rings(core))
		return DRIVER_NOT_SUPPORTED;
	struct wperf_ring_wait request;
	memcpy(&request, call->unsafe_in, sizeof(request));
	if (request.flags & ~(uint32_t)WPERF_RING_AT_ONCE)
		return DRIVER_INVALID_PARAMETER;
	struct wperf_ring_ready ready = {{0}};
	if (!ring_requests_find_ready(core, &ready) && !(request.flags & WPERF_RING_AT_ONCE))
		return DRIVER_PENDING;
	return driver_call_reply(call, &ready, sizeof(ready));
}
