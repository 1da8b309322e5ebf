/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_THREAD_WAKE_EVENT_H
#define WPERF_BASE_THREAD_WAKE_EVENT_H

/** Ends the wait of another thread: interrupt_wait() on its descriptor. */

#include "base/error.h"

struct wake_event {
	int fd; /* readable while it is set; on Windows a handle (base/os/handle_number.h) */
};

#define WAKE_EVENT_INIT   \
	{                 \
		.fd = -1, \
	}

struct error *wake_event_init(struct wake_event *event);
void wake_event_deinit(struct wake_event *event); /* also one that was not initialised */

/** From any thread; on Linux also from a signal handler. */
void wake_event_set(const struct wake_event *event);
void wake_event_clear(const struct wake_event *event);

#endif
