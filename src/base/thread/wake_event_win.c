// SPDX-License-Identifier: Apache-2.0

#include "base/thread/wake_event.h"

#include "base/os/handle_number.h"
#include "base/os/win_error.h"

struct error *wake_event_init(struct wake_event *event)
{
	// Reset by nobody but wake_event_clear().
	HANDLE handle = CreateEventW(NULL, TRUE, FALSE, NULL);
	event->fd = handle ? number_of_handle(handle) : -1;
	return handle ? NULL : win_error(GetLastError(), "cannot prepare to wait");
}

void wake_event_deinit(struct wake_event *event)
{
	if (event->fd != -1)
		CloseHandle(handle_of_number(event->fd));
	event->fd = -1;
}

void wake_event_set(const struct wake_event *event)
{
	SetEvent(handle_of_number(event->fd));
}

void wake_event_clear(const struct wake_event *event)
{
	ResetEvent(handle_of_number(event->fd));
}
