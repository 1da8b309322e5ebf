// SPDX-License-Identifier: Apache-2.0

#include "driver/windows/devgen/driver_version.h"

static DWORD driver_version_query(HANDLE device, uint32_t code, const void *in, DWORD in_size,
				  void *out, DWORD out_size)
{
	DWORD size;
	if (!DeviceIoControl(device, code, (void *)in, in_size, out, out_size, &size, NULL))
		return GetLastError();
	return size == out_size ? 0 : ERROR_INVALID_DATA;
}

// The lock goes with the handle.
static DWORD ask_with_lock(HANDLE device, struct wperf_version *ret)
{
	const struct wperf_lock_request get = {WPERF_LOCK_GET};
	const struct wperf_version ours = {.major = 3, .minor = 8};
	struct wperf_lock_reply reply;
	DWORD error = driver_version_query(device, WPERF_PMU_CTL_LOCK_ACQUIRE, &get, sizeof(get),
					   &reply, sizeof(reply));
	if (error)
		return error;
	if (reply.status != WPERF_LOCK_ACQUIRED)
		return ERROR_BUSY;
	return driver_version_query(device, WPERF_PMU_CTL_QUERY_VERSION, &ours, sizeof(ours), ret,
				    sizeof(*ret));
}

DWORD driver_version_ask(struct wperf_version *ret)
{
	HANDLE device =
		CreateFileW(L"\\\\.\\WPERFDRIVER", GENERIC_READ | GENERIC_WRITE,
			    FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, OPEN_EXISTING, 0, NULL);
	if (device == INVALID_HANDLE_VALUE)
		return GetLastError();
	DWORD error = ask_with_lock(device, ret);
	CloseHandle(device);
	return error;
}
