// SPDX-License-Identifier: Apache-2.0

#include "source/driver/driver_device.h"

#include "base/os/clock.h"
#include "base/os/win_error.h"
#include "base/text/wide_text.h"
#include "driver/include/wperf_driver.h"
#include "source/driver/driver_search.h"

#include <stdlib.h>
#include <windows.h>

// The device is opened for overlapped requests, as the wait for samples stays pending in the driver
// until there are enough. A wait that takes longer than allowed is cancelled (CancelIoEx()) and its
// end awaited, since the system writes into our buffers until then; ERROR_OPERATION_ABORTED is
// therefore no failure.

enum { NS_PER_MS = 1000000 };

// That of a driver that was started as a service, without an installed device.
static const wchar_t service_path[] = L"\\\\.\\WPERFDRIVER";

struct driver_device {
	HANDLE handle; // requests may stay pending
	HANDLE done;   // an event
};

// The path that the user gave, else that of an installed device, else that of a service.
static struct error *open_device(struct driver_device *device, const char *path)
{
	_cleanup_free_ wchar_t *wide = NULL;
	struct error *err = path ? wide_from_utf8(path, &wide) : driver_search_first(&wide);
	if (err)
		return err;
	device->handle = CreateFileW(wide ? wide : service_path, GENERIC_READ | GENERIC_WRITE,
				     FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, OPEN_EXISTING,
				     FILE_FLAG_OVERLAPPED, NULL);
	if (device->handle != INVALID_HANDLE_VALUE)
		return NULL;
	DWORD code = GetLastError();
	if (!wide && (code == ERROR_FILE_NOT_FOUND || code == ERROR_PATH_NOT_FOUND))
		return error_with_hint(
			error_create(ERROR_FAILED,
				     "error: No active device interfaces found.\n"
				     "Is the driver loaded? You can get the latest driver from "
				     "https://github.com/arm-developer-tools/windowsperf/releases"),
			"as administrator, run wperf-devgen install for wperf's driver "
			"(docs/windows.md); 'wperf detect' shows what works without a driver");
	err = win_error(code, "cannot open the driver's device");
	return code == ERROR_ACCESS_DENIED
		       ? error_with_hint(err, "run wperf as administrator")
		       : error_with_hint(err, "'wperf detect' shows the devices");
}

struct error *driver_device_open(const char *path, struct driver_device **ret)
{
	struct driver_device *device = calloc(1, sizeof(*device));
	if (!device)
		return &error_no_memory;
	device->handle = INVALID_HANDLE_VALUE;
	// Manual reset: GetOverlappedResult() and our own wait may both look at it.
	device->done = CreateEventW(NULL, TRUE, FALSE, NULL);
	struct error *err =
		device->done ? open_device(device, path) : win_error(GetLastError(), "no event");
	if (err) {
		driver_device_destroy(device);
		return err;
	}
	*ret = device;
	return NULL;
}

void driver_device_destroy(struct driver_device *device)
{
	if (!device)
		return;
	if (device->handle != INVALID_HANDLE_VALUE)
		CloseHandle(device->handle);
	if (device->done)
		CloseHandle(device->done);
	free(device);
}

/** Begin a request. Returns 0, or the error number; pending is none. */
static DWORD driver_device_begin(struct driver_device *device, OVERLAPPED *overlapped,
				 uint32_t code, const void *in, size_t in_size, void *out,
				 size_t out_size)
{
	*overlapped = (OVERLAPPED){.hEvent = device->done};
	BOOL is_done = DeviceIoControl(device->handle, code, (void *)in, (DWORD)in_size, out,
				       (DWORD)out_size, NULL, overlapped);
	DWORD win32_error = is_done ? 0 : GetLastError();
	return win32_error == ERROR_IO_PENDING ? 0 : win32_error;
}

static DWORD driver_device_end(struct driver_device *device, OVERLAPPED *overlapped,
			       DWORD *ret_size)
{
	return GetOverlappedResult(device->handle, overlapped, ret_size, TRUE) ? 0 : GetLastError();
}

static uint32_t driver_device_request(void *context, uint32_t code, const void *in, size_t in_size,
				      void *out, size_t out_size, size_t *ret_size)
{
	OVERLAPPED overlapped;
	DWORD size = 0;
	DWORD win32_error =
		driver_device_begin(context, &overlapped, code, in, in_size, out, out_size);
	if (!win32_error)
		win32_error = driver_device_end(context, &overlapped, &size);
	*ret_size = win32_error ? 0 : size;
	return win32_error;
}

// Rounded up, or a wait of less than a millisecond would be none.
static DWORD ms_of(uint64_t duration_ns)
{
	uint64_t ms = (duration_ns + NS_PER_MS - 1) / NS_PER_MS;
	return ms < INFINITE ? (DWORD)ms : INFINITE - 1;
}

static void driver_device_pass_time(void *context, uint64_t duration_ns)
{
	Sleep(ms_of(duration_ns));
}

// What was taken back did not fail.
static uint32_t driver_device_wait_for_ring(void *context, uint64_t duration_ns)
{
	struct driver_device *device = context;
	struct wperf_ring_wait wait = {0};
	struct wperf_ring_ready ready;
	OVERLAPPED overlapped;
	DWORD size, win32_error = driver_device_begin(device, &overlapped, WPERF_RING_CTL_WAIT,
						      &wait, sizeof(wait), &ready, sizeof(ready));
	if (win32_error)
		return win32_error;
	// The request must be over before this function returns: its buffers are on this stack.
	if (WaitForSingleObject(device->done, ms_of(duration_ns)) != WAIT_OBJECT_0)
		CancelIoEx(device->handle, &overlapped);
	win32_error = driver_device_end(device, &overlapped, &size);
	return win32_error == ERROR_OPERATION_ABORTED ? 0 : win32_error;
}

static uint64_t driver_device_now_ns(void *context)
{
	return clock_ns(CLOCK_MONOTONIC);
}

struct driver_transport driver_device_transport(struct driver_device *device)
{
	return (struct driver_transport){
		.request = driver_device_request,
		.context = device,
		.now_ns = driver_device_now_ns,
		.pass_time = driver_device_pass_time,
		.wait_for_ring = driver_device_wait_for_ring,
	};
}
