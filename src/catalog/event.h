/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_EVENT_H
#define WPERF_CATALOG_EVENT_H

/** What can be counted, one at a time. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Which unit counts it. The first four are the classes of the driver, with its numbers. */
enum event_class {
	EVENT_CORE,        /* the PMU of each core */
	EVENT_DSU,         /* DynamIQ shared unit: one per cluster */
	EVENT_DMC_CLK,     /* memory controller, events of the clock domain */
	EVENT_DMC_CLKDIV2, /* memory controller, events of half the clock */
	NUM_PMU_CLASSES,   /* classes above are known to the driver and scheduled on counters */
	EVENT_PERF = NUM_PMU_CLASSES, /* of the Linux kernel: perf_event_attr type and config */
	NUM_EVENT_CLASSES,
};

/** Is it one of the driver's? (The kernel schedules its events itself.) */
static inline bool event_class_is_pmu(enum event_class event_class)
{
	return event_class <= EVENT_DMC_CLKDIV2;
}

struct event {
	const char *name;        /* as typed, lower case for Arm events */
	const char *title;       /* a few words */
	const char *description; /* a sentence or two; never NULL */
	enum event_class event_class;
	uint64_t code; /* 16 bits for Arm; perf: attr.config */
};

/** "core", "dsu", "dmc_clk", "dmc_clkdiv2", "perf" */
const char *event_class_name(enum event_class event_class);

/** What names of this class start with: "", "/dsu/", "/dmc_clk/", "/dmc_clkdiv2/" */
const char *event_class_prefix(enum event_class event_class);

/** The class that the prefix of @text says, in any case (core: no prefix), and its length. */
size_t event_class_split(const char *text, enum event_class *ret);

#endif
