// SPDX-License-Identifier: Apache-2.0

#include "base/os/interrupt.h"

#include "base/os/close_handle.h"
#include "base/os/win_error.h"

// Windows calls the handler in a new thread (SetConsoleCtrlHandler()), which sets an event that
// waits include. When the console is closed, the process ends as soon as the handler returns: it
// sleeps, so that the main thread has time to finish its report. Waits use a high-resolution timer,
// since timeouts of WaitForMultipleObjects() are as coarse as the system's tick.

enum { NS_PER_TICK = 100 }; // of a timer

// Windows 10 has it since 1803; the headers do not.
#ifndef CREATE_WAITABLE_TIMER_HIGH_RESOLUTION
#define CREATE_WAITABLE_TIMER_HIGH_RESOLUTION 2
#endif

static struct {
	volatile LONG requested;
	HANDLE wake; // an event, set since the request
	bool is_installed;
} interrupt;

/** Runs in a thread of its own. */
static BOOL WINAPI on_control(DWORD kind)
{
	InterlockedExchange(&interrupt.requested, 1);
	SetEvent(interrupt.wake);
	// The console is closed, or the user goes: once we are back, the process ends at once.
	if (kind != CTRL_C_EVENT && kind != CTRL_BREAK_EVENT)
		Sleep(INFINITE);
	return TRUE;
}

struct error *interrupt_install(void)
{
	if (interrupt.is_installed)
		return NULL;
	// Reset by nobody, so that each wait after the request ends at once.
	interrupt.wake = CreateEventW(NULL, TRUE, FALSE, NULL);
	if (!interrupt.wake || !SetConsoleCtrlHandler(on_control, TRUE)) {
		struct error *err = win_error(GetLastError(), "cannot prepare for Ctrl-C");
		close_handle(&interrupt.wake);
		return err;
	}
	interrupt.is_installed = true;
	return NULL;
}

void interrupt_uninstall(void)
{
	if (!interrupt.is_installed)
		return;
	SetConsoleCtrlHandler(on_control, FALSE);
	close_handle(&interrupt.wake);
	interrupt.requested = 0;
	interrupt.is_installed = false;
}

bool interrupt_requested(void)
{
	return interrupt.requested;
}

// Who presses Ctrl-C twice waits for the report here: see interrupt.h.
void interrupt_use_hangup(const struct wake_event *event)
{
}

void interrupt_use_moments(void)
{
}

bool interrupt_take_moment(void)
{
	return false;
}

void interrupt_set_program(int pid)
{
}

void interrupt_set_last_act(void (*act)(void))
{
}

/** What is waited for, in the order in which it counts. */
struct wait_list {
	HANDLE handles[4];
	enum interrupt_wake wakes[4];
	DWORD length;
};

static void interrupt_add(struct wait_list *list, HANDLE handle, enum interrupt_wake wake)
{
	if (!handle || handle == INVALID_HANDLE_VALUE)
		return;
	list->handles[list->length] = handle;
	list->wakes[list->length++] = wake;
}

struct error *interrupt_wait(int fd, uint64_t timeout_ns, enum interrupt_wake *ret)
{
	return interrupt_wait_with(fd, -1, timeout_ns, ret);
}

struct error *interrupt_wait_with(int fd, int stop_fd, uint64_t timeout_ns,
				  enum interrupt_wake *ret)
{
	struct wait_list list = {0};
	_cleanup_(close_handle) HANDLE timer = NULL;
	if (timeout_ns != INTERRUPT_NO_TIMEOUT) {
		// Milliseconds are too coarse for who samples a thousand times a second. Negative:
		// from now on.
		LARGE_INTEGER due = {.QuadPart = -(LONGLONG)(timeout_ns / NS_PER_TICK)};
		timer = CreateWaitableTimerExW(NULL, NULL, CREATE_WAITABLE_TIMER_HIGH_RESOLUTION,
					       TIMER_ALL_ACCESS);
		if (!timer || !SetWaitableTimer(timer, &due, 0, NULL, NULL, FALSE))
			return win_error(GetLastError(), "cannot wait");
	}
	interrupt_add(&list, interrupt.wake, INTERRUPT_WAKE_REQUESTED);
	interrupt_add(&list, (HANDLE)(intptr_t)stop_fd, INTERRUPT_WAKE_REQUESTED);
	interrupt_add(&list, (HANDLE)(intptr_t)fd, INTERRUPT_WAKE_READY);
	interrupt_add(&list, timer, INTERRUPT_WAKE_TIMEOUT);
	if (!list.length)
		return error_create(ERROR_FAILED, "nothing to wait for");
	DWORD index = WaitForMultipleObjects(list.length, list.handles, FALSE, INFINITE);
	if (index >= list.length)
		return win_error(GetLastError(), "cannot wait");
	*ret = list.wakes[index];
	return NULL;
}
