/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_LINUX_SYSTEM_EVENTS_H
#define WPERF_CATALOG_LINUX_SYSTEM_EVENTS_H

/**
 * Events of the Linux kernel: its generic hardware, cache and software events, those that PMUs
 * publish below /sys/bus/event_source/devices, and, on x86, the tables of libpfm4.
 */

#include "base/error.h"
#include "catalog/linux/system_event.h"

struct string_builder;

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

/**
 * A generic event by name or alias, case ignored; or NULL. Needs no machine: for `man`.
 */
const struct system_event *system_events_find_generic(const char *name);

#endif
