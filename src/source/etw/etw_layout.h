/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_ETW_ETW_LAYOUT_H
#define WPERF_SOURCE_ETW_ETW_LAYOUT_H

/**
 * What Windows' calls for ETW take and give, as 64-bit Windows lays it out. Declared here, so that
 * all but etw_calls_win.c is compiled and tested on other systems, and because mingw-w64 10 lacks
 * what came after Windows 8. Names are Microsoft's, in our spelling (evntrace.h, wmistr.h).
 */

#include <stddef.h>
#include <stdint.h>

/** GUID */
struct etw_guid {
	uint32_t a;
	uint16_t b, c;
	uint8_t d[8];
};

/** Groups of kernel events, as stack tracing and counters name them. */
#define ETW_GUID_PERF_INFO                                             \
	{                                                              \
		0xce1dbfb4, 0x137e, 0x4da6,                            \
		{                                                      \
			0x87, 0xb0, 0x3f, 0x59, 0xaa, 0x10, 0x2c, 0xbc \
		}                                                      \
	}
#define ETW_GUID_THREAD                                                \
	{                                                              \
		0x3d6fa8d1, 0xfe05, 0x11d0,                            \
		{                                                      \
			0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c \
		}                                                      \
	}
enum {
	ETW_EVENT_SAMPLE = 46,
	ETW_EVENT_COUNTER_SAMPLE = 47,
	ETW_EVENT_SWITCH = 36,
	ETW_EVENT_READY = 50
};

/** CLASSIC_EVENT_ID */
struct etw_event_id {
	struct etw_guid group;
	uint8_t event, reserved[7];
};

enum { ETW_SESSION_NAME_MAX = 128, ETW_PATH_MAX = 1024 }; /* with the end, in units of UTF-16 */

/** EVENT_TRACE_PROPERTIES, and behind it the two names. */
struct etw_properties {
	/* WNODE_HEADER */
	uint32_t size, provider;
	uint64_t logger; /* its number in the low 16 bits */
	uint64_t time;
	struct etw_guid guid;
	uint32_t clock; /* ETW_CLOCK_... */
	uint32_t flags;

	uint32_t buffer_kb, min_buffers, max_buffers, max_file_mb, mode, flush_seconds;
	uint32_t enable_flags, age_limit;
	/* What Windows answers. */
	uint32_t num_buffers, free_buffers, events_lost, buffers_written, log_buffers_lost;
	uint32_t real_time_buffers_lost;
	uint64_t thread;
	uint32_t file_offset, name_offset;
	/* of ours */
	uint16_t name[ETW_SESSION_NAME_MAX];
	uint16_t file[ETW_PATH_MAX];
};
enum { ETW_WNODE_TRACED_GUID = 0x20000, ETW_CLOCK_QPC = 1, ETW_MODE_SYSTEM_LOGGER = 0x02000000 };
enum { ETW_CONTROL_QUERY = 0, ETW_CONTROL_STOP = 1, ETW_CONTROL_FLUSH = 3 };

/** TRACE_INFO_CLASS */
enum etw_class {
	ETW_CLASS_STACKS = 3,          /* struct etw_event_id[] */
	ETW_CLASS_ENABLE_FLAGS = 4,    /* uint32_t[8] */
	ETW_CLASS_INTERVAL = 5,        /* struct etw_interval; of the whole machine */
	ETW_CLASS_SOURCE_CONFIG = 6,   /* uint32_t[]; of the whole machine */
	ETW_CLASS_SOURCE_LIST = 7,     /* struct etw_source_info, one behind the other */
	ETW_CLASS_COUNTER_EVENTS = 8,  /* struct etw_event_id[] */
	ETW_CLASS_COUNTERS = 9,        /* uint32_t[] */
	ETW_CLASS_MAX_COUNTERS = 22,   /* uint32_t; Windows 10 1903 and later */
	ETW_CLASS_STACK_CACHE = 24,    /* struct etw_stack_cache; Windows 10 */
	ETW_CLASS_COUNTER_OWNERS = 25, /* struct etw_counter_owners; Windows 10 21H2 and later */
	ETW_CLASS_COUNTER_USERS = 27,  /* struct etw_counter_user, one behind the other */
};

/** The eight masks of ETW_CLASS_ENABLE_FLAGS: bits of the first, and of the second. */
enum {
	ETW_FLAG_PROCESS = 1,
	ETW_FLAG_THREAD = 2,
	ETW_FLAG_IMAGE_LOAD = 4,
	ETW_FLAG_SWITCH = 0x10,
	ETW_FLAG_READY = 0x800,
	ETW_FLAG_PROFILE = 0x01000000,
	ETW_FLAG2_COUNTER_PROFILE = 0x400,
	ETW_NUM_MASKS = 8,
};

/** TRACE_PROFILE_INTERVAL */
struct etw_interval {
	uint32_t source, interval;
};

/** PROFILE_SOURCE_INFO; the name follows, in UTF-16, and ends with 0. */
struct etw_source_info {
	uint32_t to_next, source, min_interval, max_interval;
	uint64_t reserved;
};

/** TRACE_STACK_CACHING_INFO */
struct etw_stack_cache {
	uint8_t is_enabled, reserved;
	uint16_t reserved2;
	uint32_t cache_size, num_buckets;
};

/** ETW_PMC_COUNTER_OWNER */
struct etw_counter_owner {
	uint32_t type, source, tag;
};
enum { ETW_OWNER_FREE = 0, ETW_OWNER_UNTAGGED = 1, ETW_OWNER_TAGGED = 2, ETW_OWNER_SOURCE = 3 };

/** ETW_PMC_COUNTER_OWNERSHIP_STATUS; owners follow. */
struct etw_counter_owners {
	uint32_t cpu, num_counters;
};

/** ETW_PMC_SESSION_INFO; sources (uint32_t) follow, then hooks (uint16_t). */
struct etw_counter_user {
	uint32_t to_next;
	uint16_t logger, reserved;
	uint32_t num_sources, num_hooks;
};

/**
 * EVENT_TRACE_PROFILE_ADD_INFORMATION and ..._REMOVE_INFORMATION, which NtSetSystemInformation()
 * takes as SystemPerformanceTraceInformation. Not documented by Microsoft; the layout is that of
 * version 2, which profilers use on x64.
 */
enum {
	ETW_SYSTEM_CLASS = 31,
	ETW_SOURCE_ADD = 21,
	ETW_SOURCE_REMOVE = 22,
	ETW_SOURCE_ADD_VERSION = 2,
	ETW_SOURCE_NAME_UNITS = 127
};
#define ETW_THIS_CPU UINT32_MAX
struct etw_source_add {
	uint32_t what;
	uint8_t version, reserved[3];
	uint8_t event[8];
	uint32_t family, model, stepping;
	uint32_t interval;
	uint8_t persists, reserved2;
	uint16_t name[ETW_SOURCE_NAME_UNITS];
};
struct etw_source_remove {
	uint32_t what, source;
	uint32_t family, model, stepping;
};

_Static_assert(sizeof(struct etw_guid) == 16, "as Windows has it");
_Static_assert(sizeof(struct etw_event_id) == 24, "as Windows has it");
_Static_assert(offsetof(struct etw_properties, guid) == 24, "as Windows has it");
_Static_assert(offsetof(struct etw_properties, buffer_kb) == 48, "as Windows has it");
_Static_assert(offsetof(struct etw_properties, thread) == 104, "as Windows has it");
_Static_assert(offsetof(struct etw_properties, name) == 120, "as Windows has it");
_Static_assert(sizeof(struct etw_source_info) == 24, "as Windows has it");
_Static_assert(sizeof(struct etw_stack_cache) == 12, "as Windows has it");
_Static_assert(sizeof(struct etw_counter_owner) == 12, "as Windows has it");
_Static_assert(sizeof(struct etw_counter_owners) == 8, "as Windows has it");
_Static_assert(sizeof(struct etw_counter_user) == 16, "as Windows has it");
_Static_assert(offsetof(struct etw_source_add, family) == 16, "as Windows has it");
_Static_assert(offsetof(struct etw_source_add, persists) == 32, "as Windows has it");
_Static_assert(offsetof(struct etw_source_add, name) == 34, "as Windows has it");
_Static_assert(sizeof(struct etw_source_remove) == 20, "as Windows has it");

#endif
