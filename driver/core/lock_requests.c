// SPDX-License-Identifier: Apache-2.0

#include "driver/core/lock_requests.h"

#include "driver/core/core.h"
#include "driver/include/wperf_driver.h"

// The only requests that anybody may send. A lock that changes hands takes the work of its owner
// with it: counters stop, events and samples are forgotten, so that no client reads what another
// one has counted.

static struct wperf_lock_request read_request(const struct driver_call *call)
{
	struct wperf_lock_request request;
	memcpy(&request, call->unsafe_in, sizeof(request));
	return request;
}

static enum driver_status reply_status(struct driver_call *call, enum wperf_lock_status status)
{
	struct wperf_lock_reply reply = {.status = (uint32_t)status};
	return driver_call_reply(call, &reply, sizeof(reply));
}

enum driver_status driver_lock_handle_acquire(struct driver_core *core, struct driver_call *call)
{
	struct wperf_lock_request request = read_request(call);
	if (request.flag != WPERF_LOCK_GET && request.flag != WPERF_LOCK_GET_FORCE)
		return DRIVER_INVALID_PARAMETER;
	bool force = request.flag == WPERF_LOCK_GET_FORCE;
	bool was_mine = driver_lock_is_held_by(&core->lock, call->client);
	bool taken = driver_lock_take(&core->lock, call->client, force);
	if (taken && !was_mine)
		driver_core_forget_work(core); // of whom it was taken from
	return reply_status(call, taken ? WPERF_LOCK_ACQUIRED : WPERF_LOCK_BUSY);
}

enum driver_status driver_lock_handle_release(struct driver_core *core, struct driver_call *call)
{
	struct wperf_lock_request request = read_request(call);
	if (request.flag != WPERF_LOCK_RELEASE)
		return DRIVER_INVALID_PARAMETER;
	bool dropped = driver_lock_drop(&core->lock, call->client);
	if (dropped)
		driver_core_forget_work(core);
	return reply_status(call, dropped ? WPERF_LOCK_IDLE : WPERF_LOCK_BUSY);
}
