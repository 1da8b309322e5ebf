/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_ETL_ETL_EVENTS_H
#define WPERF_RECORD_ETL_ETL_EVENTS_H

/** Which of a recording's events the samples of an ETW file belong to: record.event. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ETL_EVENT_NONE = UINT32_MAX /* not wanted */, ETL_SOURCES_MAX = 64 };

/** Samples of one of Windows' sources of counters. */
struct etl_source_event {
	uint32_t source; /* Windows' number, of the list of sources */
	uint32_t event;
};

struct etl_events {
	uint32_t clock;   /* cpu-clock: samples of the timer */
	uint32_t off_cpu; /* time between a thread's switches */
	uint32_t wakeups, dpc, isr;
	struct etl_source_event sources[ETL_SOURCES_MAX];
	size_t num_sources;
	/** Counters at context switches: the first one's event; the others follow it in the order
	 *  of the session's list. */
	uint32_t first_counter;
	uint32_t num_counters;
	bool counts_idle; /* also what CPUs count that have nothing to do, as thread 0 */
};

#define ETL_EVENTS_INIT                                                                        \
	{                                                                                      \
		.clock = ETL_EVENT_NONE, .off_cpu = ETL_EVENT_NONE, .wakeups = ETL_EVENT_NONE, \
		.dpc = ETL_EVENT_NONE, .isr = ETL_EVENT_NONE,                                  \
	}

#endif
