/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_LINUX_SYSTEM_EVENTS_H
#define WPERF_CATALOG_LINUX_SYSTEM_EVENTS_H

/**
 * Events of the Linux kernel: its generic hardware, cache and software events, those that PMUs
 * publish below /sys/bus/event_source/devices, and, on x86, the tables of libpfm4.
 */

#include "base/error.h"
#include "catalog/catalog.h"

#include <stdbool.h>

struct string_builder;

/** struct event of class EVENT_PERF is the first member of one of these. */
struct system_event {
	struct event event; /* code: attr.config */
	uint32_t type;      /* attr.type */
	uint64_t config1, config2;
	const char *kind;  /* "Hardware event", "Hardware cache event", "cpu PMU event" ... */
	const char *alias; /* "cpu-cycles" for "cycles", or NULL */
	const char *unit;  /* of the scaled count, or NULL */
	double scale;      /* 1: the count is not scaled */
};

enum system_events_set {
	SYSTEM_EVENTS_SOFTWARE = 1 << 0,
	SYSTEM_EVENTS_GENERIC = 1 << 1, /* generic hardware and cache events: need a CPU PMU */
	SYSTEM_EVENTS_SYSFS = 1 << 2,   /* events of the PMUs below @sysfs */
	SYSTEM_EVENTS_PFM = 1 << 3,     /* libpfm4's table of this CPU, if it is installed */
};

/**
 * Append the chosen sets to catalog->system_events.
 * @sysfs: "/sys/bus/event_source/devices", or a test's folder.
 * @notes: gets a line for everything that is missing or was left out.
 */
struct error *system_events_load(struct catalog *catalog, unsigned sets, const char *sysfs,
				 struct string_builder *notes);

/** For the files that add events: append one, which must outlive the catalog. */
struct error *system_events_append(struct catalog *catalog, const struct system_event *event);

/**
 * A generic event by name or alias, case ignored; or NULL. Needs no machine: for `man`.
 */
const struct system_event *system_events_find_generic(const char *name);

/** @event must be of class EVENT_PERF. */
static inline const struct system_event *system_event_of(const struct event *event)
{
	return (const struct system_event *)event;
}

/** Numbers of the kernel's ABI, which perf.data files have on every system. */
enum {
	SYSTEM_EVENT_SOFTWARE = 1,   /* attr.type */
	SYSTEM_EVENT_TASK_CLOCK = 1, /* attr.config: this one, and 0 for cpu-clock */
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
