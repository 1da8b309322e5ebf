/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_LINUX_SYSTEM_EVENT_H
#define WPERF_CATALOG_LINUX_SYSTEM_EVENT_H

/** One event of the Linux kernel: what tells it to the kernel, and what its count means. */

#include "base/error.h"
#include "catalog/catalog_tables.h"

#include <stdbool.h>

struct probe_point;
struct probe_reading;

/** struct event of class EVENT_PERF is the first member of one of these. */
struct system_event {
	struct event event; /* code: attr.config */
	uint32_t type;      /* attr.type */
	uint64_t config1, config2;
	const char *kind;  /* "Hardware event", "Hardware cache event", "cpu PMU event" ... */
	const char *alias; /* "cpu-cycles" for "cycles", or NULL */
	const char *unit;  /* of the scaled count, or NULL */
	double scale;      /* 1: the count is not scaled */
	bool by_bytes; /* its period is a number of bytes, whatever it counts: it may be "64K" */
	/** Of a place in code, which the attributes name only once it is found
	 *  (session/setup/probe_places.h); NULL: it is no probe. */
	const struct probe_point *probe;
	/** Of a probe with values, once it is found (source/probes/probe_reading.h); NULL: none. */
	const struct probe_reading *reading;
};

/** The unit of events whose counts are amounts of memory. */
#define SYSTEM_EVENT_BYTES "bytes"

/** The unit of events that count how often memory was allocated. */
#define SYSTEM_EVENT_ALLOCATIONS "allocations"
#define SYSTEM_EVENT_BLOCKS      "blocks"

/** Those of system calls. */
#define SYSTEM_EVENT_CALLS       "calls"
#define SYSTEM_EVENT_NANOSECONDS "nanoseconds"

/** Adds one to the catalog, which it must outlive. */
struct error *system_event_append(struct catalog *catalog, const struct system_event *event);

/** @event must be of class EVENT_PERF. */
static inline const struct system_event *system_event_of(const struct event *event)
{
	return (const struct system_event *)event;
}

/** NULL: it is no probe. */
static inline const struct probe_point *system_event_probe(const struct event *event)
{
	return event->event_class == EVENT_PERF ? system_event_of(event)->probe : NULL;
}

/** Numbers of the kernel's ABI, which perf.data files have on every system. */
enum {
	SYSTEM_EVENT_HARDWARE = 0, /* attr.type */
	SYSTEM_EVENT_SOFTWARE = 1,
	SYSTEM_EVENT_CACHE = 3,
	SYSTEM_EVENT_TASK_CLOCK = 1,  /* attr.config: this one, and 0 for cpu-clock */
	SYSTEM_EVENT_BPF_OUTPUT = 10, /* attr.config of what BPF programs give */
};

static inline bool system_event_is_software(const struct system_event *event)
{
	return event->type == SYSTEM_EVENT_SOFTWARE;
}

/** Does it count nanoseconds? */
static inline bool system_event_is_clock(const struct system_event *event)
{
	return system_event_is_software(event) && event->event.code <= SYSTEM_EVENT_TASK_CLOCK;
}

/** The factor from the count to its unit; 1 for events of other classes. */
static inline double system_event_scale(const struct event *event)
{
	return event->event_class == EVENT_PERF ? system_event_of(event)->scale : 1;
}

#endif
