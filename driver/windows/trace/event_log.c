// SPDX-License-Identifier: Apache-2.0

#include "driver/windows/trace/event_log.h"

#include "driver/include/wperf_driver.h"

// Events are written by EtwWrite() with a descriptor of our own, without a manifest: tools show
// them by number (event_log.h) with the process as their datum.

static const GUID provider_id = {
	0x756ca24e, 0xa1e4, 0x4909, {0x99, 0x57, 0x7c, 0xbb, 0x92, 0xc6, 0xa1, 0x18}};

enum { LEVEL_INFORMATION = 4, KEYWORD_USE = 1 };

void event_log_init(struct event_log *log)
{
	trace_provider_init(&log->provider, &provider_id, NULL, 0);
}

void event_log_deinit(struct event_log *log)
{
	trace_provider_deinit(&log->provider);
}

void event_log_write(struct event_log *log, enum event_log_event event)
{
	const EVENT_DESCRIPTOR descriptor = {
		.Id = (USHORT)event,
		.Level = LEVEL_INFORMATION,
		.Keyword = KEYWORD_USE,
	};
	if (!trace_provider_is_heard(&log->provider, &descriptor))
		return;
	ULONG process = (ULONG)(ULONG_PTR)PsGetCurrentProcessId();
	EVENT_DATA_DESCRIPTOR data = {.Ptr = (ULONG_PTR)&process, .Size = sizeof(process)};
	trace_provider_write(&log->provider, &descriptor, &data, 1);
}

void event_log_write_request(struct event_log *log, uint32_t code)
{
	static const struct {
		uint32_t code;
		enum event_log_event event;
	} events[] = {
		{WPERF_PMU_CTL_START, EVENT_COUNTING_STARTED},
		{WPERF_PMU_CTL_STOP, EVENT_COUNTING_STOPPED},
		{WPERF_PMU_CTL_SAMPLE_START, EVENT_SAMPLING_STARTED},
		{WPERF_PMU_CTL_SAMPLE_STOP, EVENT_SAMPLING_STOPPED},
		{WPERF_RING_CTL_START, EVENT_SAMPLING_STARTED},
		{WPERF_RING_CTL_STOP, EVENT_SAMPLING_STOPPED},
		{WPERF_PMU_CTL_SPE_START, EVENT_SPE_STARTED},
		{WPERF_PMU_CTL_SPE_STOP, EVENT_SPE_STOPPED},
	};
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		if (events[i].code == code)
			event_log_write(log, events[i].event);
	}
}
