// SPDX-License-Identifier: Apache-2.0

#include "driver/core/request.h"

#include "driver/core/assignment.h"
#include "driver/core/control.h"
#include "driver/core/counts.h"
#include "driver/core/hw_cfg.h"
#include "driver/core/lock_requests.h"
#include "driver/core/losses.h"
#include "driver/core/sampling/ring_requests.h"
#include "driver/core/sampling/samples.h"
#include "driver/core/spe/spe_requests.h"
#include "driver/core/supported_events.h"
#include "driver/core/uncore/uncore_requests.h"
#include "driver/core/version.h"
#include "driver/include/wperf_driver.h"

// All requests pass through driver_request(): the table has their sizes, whether they need the
// lock, and the handler. Checks are in the order of WindowsPerf's driver, so that the same mistake
// has the same status: lock first, then sizes. A handler gets only calls whose sizes and owner are
// right; the values in the input are still unchecked, which the name unsafe_in says.

struct request {
	uint32_t code;
	bool needs_owner;
	size_t in_size;
	size_t in_item_size; // the input goes on with any number of these; 0: it ends
	size_t out_size;     // of the answer; 0: none, or known to the handler only
	driver_handler_fn *handle;
	const char *name;
};

enum { ANYBODY = false, OWNER = true };

// To add a request: 1) its code and structs in driver/include/wperf_driver.h, 2) a module with
// its handler, 3) a row here. A handler finds sizes and owner checked; it copies the input into
// locals, checks the values, and answers with driver_call_reply().
static const struct request requests[] = {
	{WPERF_PMU_CTL_START, OWNER, sizeof(struct wperf_control), 0, 0,
	 driver_control_handle_start, "PMU_CTL_START"},
	{WPERF_PMU_CTL_STOP, OWNER, sizeof(struct wperf_control), 0, 0, driver_control_handle_stop,
	 "PMU_CTL_STOP"},
	{WPERF_PMU_CTL_RESET, OWNER, sizeof(struct wperf_control), 0, 0,
	 driver_control_handle_reset, "PMU_CTL_RESET"},
	{WPERF_PMU_CTL_QUERY_HW_CFG, OWNER, WPERF_ANY_INPUT_SIZE, 0, sizeof(struct wperf_hw_cfg),
	 driver_hw_cfg_handle_query, "PMU_CTL_QUERY_HW_CFG"},
	{WPERF_PMU_CTL_QUERY_SUPP_EVENTS, OWNER, WPERF_ANY_INPUT_SIZE, 0, 0,
	 driver_supported_events_handle_query, "PMU_CTL_QUERY_SUPP_EVENTS"},
	{WPERF_PMU_CTL_QUERY_VERSION, OWNER, sizeof(struct wperf_version), 0,
	 sizeof(struct wperf_version), driver_version_handle_query, "PMU_CTL_QUERY_VERSION"},
	{WPERF_PMU_CTL_ASSIGN_EVENTS, OWNER, sizeof(struct wperf_event_assign), sizeof(uint16_t), 0,
	 driver_assignment_handle, "PMU_CTL_ASSIGN_EVENTS"},
	{WPERF_PMU_CTL_READ_COUNTING, OWNER, sizeof(struct wperf_control), 0,
	 sizeof(struct wperf_core_counts), driver_counts_handle_core, "PMU_CTL_READ_COUNTING"},
	{WPERF_DSU_CTL_INIT, OWNER, sizeof(struct wperf_dsu_topology), 0,
	 sizeof(struct wperf_dsu_cfg), driver_dsu_handle_init, "DSU_CTL_INIT"},
	{WPERF_DSU_CTL_READ_COUNTING, OWNER, sizeof(struct wperf_control), 0,
	 sizeof(struct wperf_dsu_counts), driver_counts_handle_dsu, "DSU_CTL_READ_COUNTING"},
	{WPERF_DMC_CTL_INIT, OWNER, sizeof(struct wperf_dmc_channels),
	 sizeof(struct wperf_dmc_range), sizeof(struct wperf_dmc_cfg), driver_dmc_handle_init,
	 "DMC_CTL_INIT"},
	{WPERF_DMC_CTL_READ_COUNTING, OWNER, sizeof(struct wperf_control), 0,
	 sizeof(struct wperf_dmc_counts), driver_counts_handle_dmc, "DMC_CTL_READ_COUNTING"},
	{WPERF_PMU_CTL_SAMPLE_SET_SRC, OWNER, sizeof(struct wperf_sample_source),
	 sizeof(struct wperf_sample_event), 0, driver_samples_handle_set_source,
	 "PMU_CTL_SAMPLE_SET_SRC"},
	{WPERF_PMU_CTL_SAMPLE_START, OWNER, sizeof(struct wperf_control), 0, 0,
	 driver_samples_handle_start, "PMU_CTL_SAMPLE_START"},
	{WPERF_PMU_CTL_SAMPLE_STOP, OWNER, sizeof(struct wperf_control), 0,
	 sizeof(struct wperf_sample_summary), driver_samples_handle_stop, "PMU_CTL_SAMPLE_STOP"},
	{WPERF_PMU_CTL_SAMPLE_GET, OWNER, sizeof(uint32_t), 0, sizeof(struct wperf_samples),
	 driver_samples_handle_get, "PMU_CTL_SAMPLE_GET"},
	{WPERF_PMU_CTL_LOCK_ACQUIRE, ANYBODY, sizeof(struct wperf_lock_request), 0,
	 sizeof(struct wperf_lock_reply), driver_lock_handle_acquire, "PMU_CTL_LOCK_ACQUIRE"},
	{WPERF_PMU_CTL_LOCK_RELEASE, ANYBODY, sizeof(struct wperf_lock_request), 0,
	 sizeof(struct wperf_lock_reply), driver_lock_handle_release, "PMU_CTL_LOCK_RELEASE"},
	{WPERF_PMU_CTL_SPE_INIT, OWNER, sizeof(struct wperf_control), 0, 0, driver_spe_handle_init,
	 "PMU_CTL_SPE_INIT"},
	{WPERF_PMU_CTL_SPE_GET_SIZE, OWNER, sizeof(struct wperf_control), 0, sizeof(uint64_t),
	 driver_spe_handle_get_size, "PMU_CTL_SPE_GET_SIZE"},
	{WPERF_PMU_CTL_SPE_GET_BUFFER, OWNER, sizeof(struct wperf_spe_control), 0, 0,
	 driver_spe_handle_get_buffer, "PMU_CTL_SPE_GET_BUFFER"},
	{WPERF_PMU_CTL_SPE_START, OWNER, sizeof(struct wperf_spe_control), 0, 0,
	 driver_spe_handle_start, "PMU_CTL_SPE_START"},
	{WPERF_PMU_CTL_SPE_STOP, OWNER, sizeof(struct wperf_control), 0, 0, driver_spe_handle_stop,
	 "PMU_CTL_SPE_STOP"},
	{WPERF_RING_CTL_QUERY, OWNER, WPERF_ANY_INPUT_SIZE, 0, sizeof(struct wperf_ring_info),
	 driver_ring_handle_query, "RING_CTL_QUERY"},
	{WPERF_RING_CTL_START, OWNER, sizeof(struct wperf_ring_start), 0, 0,
	 driver_ring_handle_start, "RING_CTL_START"},
	{WPERF_RING_CTL_STOP, OWNER, sizeof(struct wperf_control), 0,
	 sizeof(struct wperf_sample_summary), driver_ring_handle_stop, "RING_CTL_STOP"},
	{WPERF_RING_CTL_READ, OWNER, sizeof(struct wperf_ring_read), 0,
	 sizeof(struct wperf_ring_answer), driver_ring_handle_read, "RING_CTL_READ"},
	{WPERF_RING_CTL_WAIT, OWNER, sizeof(struct wperf_ring_wait), 0,
	 sizeof(struct wperf_ring_ready), driver_ring_handle_wait, "RING_CTL_WAIT"},
	{WPERF_LOSSES_CTL_QUERY, OWNER, WPERF_ANY_INPUT_SIZE, 0, sizeof(struct wperf_losses),
	 driver_losses_handle_query, "LOSSES_CTL_QUERY"},
};

static const struct request *find_request(uint32_t code)
{
	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		if (requests[i].code == code)
			return &requests[i];
	}
	return NULL;
}

// The order is the peer's: who is robbed learns that before anything else.
static enum driver_status request_check(const struct driver_core *core,
					const struct request *request,
					const struct driver_call *call)
{
	if (request->needs_owner && !driver_lock_is_held_by(&core->lock, call->client))
		return DRIVER_INVALID_DEVICE_STATE;
	// A fixed beginning, and for some requests whole items behind it.
	if (call->in_size < request->in_size)
		return DRIVER_INVALID_PARAMETER;
	size_t rest = call->in_size - request->in_size;
	if (request->in_item_size ? rest % request->in_item_size != 0 : rest != 0)
		return DRIVER_INVALID_PARAMETER;
	if (request->out_size > call->out_size)
		return DRIVER_INSUFFICIENT_RESOURCES;
	return DRIVER_OK;
}

enum driver_status driver_request(struct driver_core *core, driver_client client, uint32_t code,
				  const void *in, size_t in_size, void *out, size_t out_size,
				  size_t *ret_size)
{
	*ret_size = 0;
	// The checks are in the order of WindowsPerf's driver, and have its errors. Its clients
	// always send something, also with requests that take nothing.
	if (!in || in_size == 0)
		return DRIVER_INVALID_BLOCK_LENGTH;
	if (out_size > WPERF_MAX_OUTPUT)
		return DRIVER_BUFFER_OVERFLOW;
	const struct request *request = find_request(code);
	if (!request || client == DRIVER_CLIENT_NONE)
		return DRIVER_INVALID_PARAMETER;
	struct driver_call call = {
		.client = client,
		.unsafe_in = in,
		.in_size = in_size,
		.out = out,
		// Without a buffer there is no room, whatever the size says.
		.out_size = out ? out_size : 0,
	};
	enum driver_status status = request_check(core, request, &call);
	if (status == DRIVER_OK)
		status = request->handle(core, &call);
	if (status == DRIVER_OK)
		*ret_size = call.ret_size;
	return status;
}

const char *driver_request_name(uint32_t code)
{
	const struct request *request = find_request(code);
	return request ? request->name : NULL;
}
