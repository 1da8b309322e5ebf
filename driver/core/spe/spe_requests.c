// SPDX-License-Identifier: Apache-2.0

#include "driver/core/spe/spe_requests.h"

#include "driver/core/control.h"
#include "driver/core/core.h"

// Translates the request into values of PMSIRR_EL1 (interval), PMSFCR_EL1 (which filters),
// PMSEVFR_EL1 (events) and PMSLATFR_EL1 (latency). Unknown flags are refused, not ignored.
// Intervals below the hardware's recommended minimum are raised to it.

enum {
	ALL_OPERATIONS = WPERF_SPE_BRANCH | WPERF_SPE_LOAD | WPERF_SPE_STORE,
	ALL_FLAGS = WPERF_SPE_JITTER | WPERF_SPE_TIMESTAMP | WPERF_SPE_MIN_LATENCY,
};

static enum driver_status spe_requests_find(struct driver_core *core, unsigned cpu,
					    struct driver_spe **ret)
{
	if (!core->spes[cpu].buffer)
		return DRIVER_NOT_SUPPORTED;
	*ret = &core->spes[cpu];
	return DRIVER_OK;
}

static enum driver_status read_one_core(struct driver_core *core, const struct driver_call *call,
					struct driver_spe **ret)
{
	struct wperf_control control;
	enum driver_status status = driver_control_read_one_core(core, call, &control);
	return status == DRIVER_OK ? spe_requests_find(core, control.cores_no[0], ret) : status;
}

static enum driver_status read_spe_control(struct driver_core *core, const struct driver_call *call,
					   struct wperf_spe_control *ret_control,
					   struct driver_spe **ret)
{
	memcpy(ret_control, call->unsafe_in, sizeof(*ret_control));
	// One core a request: its answer is the bytes of one buffer.
	if (ret_control->cores_count != 1 || ret_control->cores_no[0] >= core->config.num_cores)
		return DRIVER_INVALID_PARAMETER;
	return spe_requests_find(core, ret_control->cores_no[0], ret);
}

// The list of cores may be empty: then the request only asks whether there is SPE.
enum driver_status driver_spe_handle_init(struct driver_core *core, struct driver_call *call)
{
	struct wperf_control control;
	enum driver_status status = driver_control_read(call, &control);
	for (uint64_t i = 0; status == DRIVER_OK && i < control.cores_count; i++) {
		if (control.cores_no[i] >= core->config.num_cores)
			status = DRIVER_INVALID_PARAMETER;
	}
	if (status != DRIVER_OK)
		return status;
	if (core->spe_cpu == DRIVER_NO_CPU)
		return DRIVER_NOT_SUPPORTED;
	for (uint64_t i = 0; i < control.cores_count; i++)
		driver_spe_forget(&core->spes[control.cores_no[i]]);
	return DRIVER_OK;
}

enum driver_status driver_spe_handle_get_size(struct driver_core *core, struct driver_call *call)
{
	struct driver_spe *spe;
	enum driver_status status = read_one_core(core, call, &spe);
	if (status != DRIVER_OK)
		return status;
	uint64_t size = driver_spe_size(spe);
	return driver_call_reply(call, &size, sizeof(size));
}

enum driver_status driver_spe_handle_get_buffer(struct driver_core *core, struct driver_call *call)
{
	struct wperf_spe_control control;
	struct driver_spe *spe;
	enum driver_status status = read_spe_control(core, call, &control, &spe);
	if (status == DRIVER_OK)
		driver_spe_take(spe, control.buffer_size, call);
	return status;
}

static struct driver_spe_settings settings_of(const struct driver_spe *spe,
					      const struct wperf_spe_control *control)
{
	uint64_t flags = control->config_flags;
	uint64_t latency = flags >> WPERF_SPE_MIN_LATENCY_SHIFT;
	// PMSIDR_EL1.Interval is the shortest interval that the hardware recommends.
	uint64_t pmsidr = driver_registers_fetch(&spe->registers, spe->cpu, DRIVER_PMSIDR_EL1);
	uint64_t shortest = driver_spe_min_interval(pmsidr);
	uint64_t max_latency = driver_spe_max_latency(pmsidr);
	uint64_t interval = control->interval & DRIVER_PMSIRR_INTERVAL;
	// FT, FE and FL switch the filters of type, event and latency on; the types are those to
	// keep.
	uint64_t pmsfcr = 0;
	pmsfcr |= control->operation_filter & WPERF_SPE_BRANCH ? DRIVER_PMSFCR_B : 0;
	pmsfcr |= control->operation_filter & WPERF_SPE_LOAD ? DRIVER_PMSFCR_LD : 0;
	pmsfcr |= control->operation_filter & WPERF_SPE_STORE ? DRIVER_PMSFCR_ST : 0;
	pmsfcr |= pmsfcr ? DRIVER_PMSFCR_FT : 0;
	pmsfcr |= control->event_filter ? DRIVER_PMSFCR_FE : 0;
	pmsfcr |= flags & WPERF_SPE_MIN_LATENCY ? DRIVER_PMSFCR_FL : 0;
	return (struct driver_spe_settings){
		.pmscr = DRIVER_PMSCR_E0SPE | DRIVER_PMSCR_E1SPE |
			 (flags & WPERF_SPE_TIMESTAMP ? DRIVER_PMSCR_TS : 0),
		.pmsirr = (interval < shortest ? shortest : interval) |
			  (flags & WPERF_SPE_JITTER ? DRIVER_PMSIRR_RND : 0),
		.pmsfcr = pmsfcr,
		.pmsevfr = control->event_filter,
		.pmslatfr = latency > max_latency ? max_latency : latency,
	};
}

// A latency without its flag is a mistake of the client: it would be ignored.
static bool is_good(const struct wperf_spe_control *control)
{
	uint64_t flags = control->config_flags;
	uint64_t known = ALL_FLAGS | UINT64_C(0xffff) << WPERF_SPE_MIN_LATENCY_SHIFT;
	bool has_latency = flags >> WPERF_SPE_MIN_LATENCY_SHIFT;
	return !(control->operation_filter & ~ALL_OPERATIONS) && !(flags & ~known) &&
	       (!has_latency || (flags & WPERF_SPE_MIN_LATENCY));
}

enum driver_status driver_spe_handle_start(struct driver_core *core, struct driver_call *call)
{
	struct wperf_spe_control control;
	struct driver_spe *spe;
	enum driver_status status = read_spe_control(core, call, &control, &spe);
	if (status != DRIVER_OK)
		return status;
	if (!is_good(&control))
		return DRIVER_INVALID_PARAMETER;
	if (spe->is_running)
		return DRIVER_DEVICE_BUSY;
	struct driver_spe_settings settings = settings_of(spe, &control);
	driver_spe_start(spe, &settings);
	return DRIVER_OK;
}

enum driver_status driver_spe_handle_stop(struct driver_core *core, struct driver_call *call)
{
	struct driver_spe *spe;
	enum driver_status status = read_one_core(core, call, &spe);
	if (status == DRIVER_OK)
		driver_spe_stop(spe);
	return status;
}
