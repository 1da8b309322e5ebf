/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_WINDOWS_TRACE_COUNT_LOG_H
#define WPERF_DRIVER_WINDOWS_TRACE_COUNT_LOG_H

/**
 * What the counters of cores count, as events of ETW with WindowsPerf's provider, whose plug-in for
 * Windows Performance Analyzer displays them:
 *
 *	{9b15b4b5-6979-4ba7-9b26-00c630a4d7b3} "WindowsPerf Driver", event 1, ReadGPC
 *	Core u64, Event u32, GPCIdx u32, Value u64
 *
 * An event whenever the driver reads a counter: each value is what came since the last reading.
 * Nothing is written unless somebody records it.
 */

#include "driver/windows/trace/trace_provider.h"

struct count_log {
	struct trace_provider provider;
};

/** At PASSIVE_LEVEL. */
void count_log_init(struct count_log *log);
void count_log_deinit(struct count_log *log);

/** At any level. @event: its number; WPERF_CYCLE_EVENT. @counter: in hardware. */
void count_log_write(const struct count_log *log, unsigned core, uint32_t event, unsigned counter,
		     uint64_t value);

#endif
