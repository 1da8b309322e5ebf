/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_WINDOWS_TRACE_EVENT_LOG_H
#define WPERF_DRIVER_WINDOWS_TRACE_EVENT_LOG_H

/**
 * The driver's ETW provider {756CA24E-A1E4-4909-9957-7CBB92C6A118}: who uses the counters, and
 * when. Nothing is written until somebody's trace session asks for the provider, and the loss of an
 * event is nobody's error. Each has one datum: the process that asked, a ULONG.
 *
 * At PASSIVE_LEVEL.
 */

#include "driver/windows/trace/trace_provider.h"

/** Numbers of the events; they never change. */
enum event_log_event {
	EVENT_NONE,
	EVENT_LOCK_TAKEN = 1,
	EVENT_LOCK_ROBBED = 2, /* by this process, from another one */
	EVENT_LOCK_FREED = 3,
	EVENT_COUNTING_STARTED = 4,
	EVENT_COUNTING_STOPPED = 5,
	EVENT_SAMPLING_STARTED = 6,
	EVENT_SAMPLING_STOPPED = 7,
	EVENT_SPE_STARTED = 8,
	EVENT_SPE_STOPPED = 9,
};

struct event_log {
	struct trace_provider provider;
};

void event_log_init(struct event_log *log);
void event_log_deinit(struct event_log *log);

void event_log_write(struct event_log *log, enum event_log_event event);

/** Of a request that succeeded, if it is one that starts or stops something. */
void event_log_write_request(struct event_log *log, uint32_t code);

#endif
