/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_STAT_STAT_TRACE_H
#define WPERF_REPORT_STAT_STAT_TRACE_H

/**
 * Counts of cores as events of ETW, so that Windows Performance Analyzer shows them beside what
 * else a recording has. Provider, event and fields are WindowsPerf's, whose plug-in displays them:
 *
 *	{6AFCCF81-3A0C-411E-A4AA-C4CF02EB840D} "WindowsPerf App", event 1, ReadGPC
 *	Core u64, Event text, EventIdx u32 (0xffffffff: cycles), EventNote text, Value u64
 *
 * An event for each row of the tables of cores, with the value as counted.
 */

#include "base/os/trace_provider.h"
#include "view/stat_report.h"

/** Where events go; tests have another. */
struct stat_trace_sink {
	bool (*is_heard)(void *context, const struct trace_event *event);
	void (*write)(void *context, const struct trace_event *event,
		      const struct trace_field *fields, unsigned num_fields);
	void *context;
};

/** @ret: ended by trace_provider_deinit(). */
void stat_trace_open(struct trace_provider *ret);

void stat_trace_write(const struct trace_provider *provider, const struct stat_report *report);

void stat_trace_write_to(const struct stat_trace_sink *sink, const struct stat_report *report);

#endif
