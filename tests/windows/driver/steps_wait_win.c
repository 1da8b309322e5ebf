// SPDX-License-Identifier: Apache-2.0

#include "tests/windows/driver/steps.h"

#include "driver/include/wperf_driver.h"
#include "driver/windows/sim_request.h"

#include <stdio.h>
#include <windows.h>

enum { LIMIT_MS = 10000, SOON_MS = 100, CORE = 1 };

struct call {
	OVERLAPPED overlapped;
	DWORD error; /* when it began */
};

static HANDLE open_driver(void)
{
	return CreateFileA("\\\\.\\WPERFDRIVER", GENERIC_READ | GENERIC_WRITE,
			   FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, OPEN_EXISTING,
			   FILE_FLAG_OVERLAPPED, NULL);
}

static void begin(HANDLE driver, struct call *call, uint32_t code, const void *in, DWORD in_size,
		  void *out, DWORD out_size)
{
	ZeroMemory(&call->overlapped, sizeof(call->overlapped));
	call->overlapped.hEvent = CreateEventA(NULL, TRUE, FALSE, NULL);
	SetLastError(0);
	BOOL good = DeviceIoControl(driver, code, (void *)in, in_size, out, out_size, NULL,
				    &call->overlapped);
	call->error = good ? 0 : GetLastError();
}

/** Its error; WAIT_TIMEOUT if it still waits after so long. */
static DWORD end(HANDLE driver, struct call *call, DWORD limit_ms)
{
	DWORD size, error = 0;
	if (call->error && call->error != ERROR_IO_PENDING)
		error = call->error;
	else if (WaitForSingleObject(call->overlapped.hEvent, limit_ms) != WAIT_OBJECT_0)
		return WAIT_TIMEOUT;
	else if (!GetOverlappedResult(driver, &call->overlapped, &size, FALSE))
		error = GetLastError();
	CloseHandle(call->overlapped.hEvent);
	return error;
}

static DWORD ask(HANDLE driver, uint32_t code, const void *in, DWORD in_size, void *out,
		 DWORD out_size)
{
	struct call call;
	begin(driver, &call, code, in, in_size, out, out_size);
	return end(driver, &call, LIMIT_MS);
}

static DWORD lock(HANDLE driver, uint32_t flag)
{
	struct wperf_lock_request request = {flag};
	struct wperf_lock_reply reply;
	return ask(driver, WPERF_PMU_CTL_LOCK_ACQUIRE, &request, sizeof(request), &reply,
		   sizeof(reply));
}

static void sample(HANDLE driver)
{
	struct {
		struct wperf_sample_source head;
		struct wperf_sample_event event;
	} source = {{CORE}, {0x08, 1000000, WPERF_FILTER_EXCLUDE_EL1}};
	struct wperf_ring_start start = {
		.control = {.cores_count = 1, .cores_no = {CORE}, .flags = WPERF_CONTROL_CORE},
		.max_callers = 4,
	};
	DWORD set = ask(driver, WPERF_PMU_CTL_SAMPLE_SET_SRC, &source, sizeof(source), NULL, 0);
	DWORD go = ask(driver, WPERF_RING_CTL_START, &start, sizeof(start), NULL, 0);
	printf("samples: error %lu, error %lu\n", set, go);
}

static struct wperf_ring_ready ready;

static void begin_wait(HANDLE driver, struct call *call)
{
	struct wperf_ring_wait wait = {0};
	ZeroMemory(&ready, sizeof(ready));
	begin(driver, call, WPERF_RING_CTL_WAIT, &wait, sizeof(wait), &ready, sizeof(ready));
}

static void read_all(HANDLE driver)
{
	static struct {
		struct wperf_ring_answer head;
		uint8_t samples[WPERF_MAX_OUTPUT - sizeof(struct wperf_ring_answer)];
	} answer;
	struct wperf_ring_read read = {CORE};
	DWORD error;
	do {
		error = ask(driver, WPERF_RING_CTL_READ, &read, sizeof(read), &answer,
			    sizeof(answer));
	} while (!error && answer.head.left);
	printf("read: error %lu\n", error);
}

static void pass_time(HANDLE driver, uint64_t ms)
{
	uint64_t ns = ms * 1000000;
	ask(driver, SIM_REQUEST_PASS_TIME, &ns, sizeof(ns), NULL, 0);
}

// As the clock runs there are some thousand samples in a second.
static void wait_for_clock(HANDLE driver)
{
	struct call wait;
	begin_wait(driver, &wait);
	DWORD before = wait.error, error = end(driver, &wait, LIMIT_MS);
	printf("by the clock: %s, then error %lu, cores %llx\n",
	       before == ERROR_IO_PENDING ? "waits" : "does not wait", error, ready.cores[0]);
	read_all(driver);
}

static void wait_for_our_word(HANDLE driver)
{
	struct call wait;
	pass_time(driver, 0);
	read_all(driver);
	begin_wait(driver, &wait);
	DWORD first = end(driver, &wait, SOON_MS);
	pass_time(driver, 2000);
	DWORD then = end(driver, &wait, LIMIT_MS);
	printf("by our word: error %lu, then error %lu, cores %llx\n", first, then, ready.cores[0]);
	read_all(driver);
}

static void cancel(HANDLE driver)
{
	struct call wait, second;
	begin_wait(driver, &wait);
	begin_wait(driver, &second);
	DWORD busy = end(driver, &second, LIMIT_MS);
	BOOL good = CancelIoEx(driver, &wait.overlapped);
	printf("a second one: error %lu; cancelled: %d, error %lu\n", busy, good,
	       end(driver, &wait, LIMIT_MS));
}

static void lose(HANDLE alice, HANDLE bob)
{
	struct call wait;
	begin_wait(alice, &wait);
	DWORD robbed = lock(bob, WPERF_LOCK_GET_FORCE);
	printf("robbed: error %lu, error %lu\n", robbed, end(alice, &wait, LIMIT_MS));
}

static void close_while_waiting(HANDLE driver)
{
	struct call wait;
	sample(driver);
	begin_wait(driver, &wait);
	CloseHandle(driver);
	printf("closed: %s\n", end(driver, &wait, LIMIT_MS) == WAIT_TIMEOUT ? "waits" : "ended");
}

bool steps_wait(void)
{
	HANDLE alice = open_driver(), bob = open_driver();
	if (alice == INVALID_HANDLE_VALUE || bob == INVALID_HANDLE_VALUE)
		return false;
	printf("lock: error %lu\n", lock(alice, WPERF_LOCK_GET));
	sample(alice);
	wait_for_clock(alice);
	wait_for_our_word(alice);
	cancel(alice);
	lose(alice, bob);
	close_while_waiting(bob);
	CloseHandle(alice);
	return true;
}
