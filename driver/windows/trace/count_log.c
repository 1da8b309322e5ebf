// SPDX-License-Identifier: Apache-2.0

#include "driver/windows/trace/count_log.h"

// The events describe themselves: the first two descriptors are the metadata of the provider and of
// the event, and the channel is 11 ("How to send a TraceLogging event to ETW" in
// TraceLoggingProvider.h). Numbers, names and order of fields are facts of WindowsPerf's manifest
// (wperf-driver-etw-manifest.xml), the keyword is that of its channel: a session which was set up
// for WindowsPerf records ours.

enum {
	CHANNEL_TRACELOGGING = 11,
	LEVEL_INFORMATION = 4,
	DATA_OF_EVENT = 1,
	DATA_OF_PROVIDER = 2,
};

#define TYPE_UINT32 "\x08"
#define TYPE_UINT64 "\x0a"

static const GUID provider_id = {
	0x9b15b4b5, 0x6979, 0x4ba7, {0x9b, 0x26, 0x00, 0xc6, 0x30, 0xa4, 0xd7, 0xb3}};

static const char traits[] = "\x15\0"
			     "WindowsPerf Driver";
_Static_assert(sizeof(traits) == 0x15, "the size in front, the 0 at the end included");

static const char metadata[] =
	"\x27\0"
	"\0"
	"ReadGPC\0"
	"Core\0" TYPE_UINT64 "Event\0" TYPE_UINT32 "GPCIdx\0" TYPE_UINT32 "Value\0" TYPE_UINT64;
_Static_assert(sizeof(metadata) - 1 == 0x27, "the size in front, without the literal's own 0");

static const EVENT_DESCRIPTOR read_gpc = {
	.Id = 1,
	.Channel = CHANNEL_TRACELOGGING,
	.Level = LEVEL_INFORMATION,
	.Keyword = 0x8000000000000000ull,
};

void count_log_init(struct count_log *log)
{
	trace_provider_init(&log->provider, &provider_id, traits, sizeof(traits));
}

void count_log_deinit(struct count_log *log)
{
	trace_provider_deinit(&log->provider);
}

void count_log_write(const struct count_log *log, unsigned core, uint32_t event, unsigned counter,
		     uint64_t value)
{
	if (!trace_provider_is_heard(&log->provider, &read_gpc))
		return;
	uint64_t wide_core = core;
	uint32_t index = counter;
	EVENT_DATA_DESCRIPTOR data[] = {
		{(ULONG_PTR)traits, sizeof(traits), DATA_OF_PROVIDER},
		{(ULONG_PTR)metadata, sizeof(metadata) - 1, DATA_OF_EVENT},
		{(ULONG_PTR)&wide_core, sizeof(wide_core), 0},
		{(ULONG_PTR)&event, sizeof(event), 0},
		{(ULONG_PTR)&index, sizeof(index), 0},
		{(ULONG_PTR)&value, sizeof(value), 0},
	};
	trace_provider_write(&log->provider, &read_gpc, data, sizeof(data) / sizeof(data[0]));
}
