/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_EVENT_H
#define WPERF_CATALOG_EVENT_H

/** A countable event. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The unit that counts it. The first four are the driver's classes, with its numbers. */
enum event_class {
	EVENT_CORE,        /* the PMU of each core */
	EVENT_DSU,         /* DynamIQ shared unit: one per cluster */
	EVENT_DMC_CLK,     /* memory controller, events of the clock domain */
	EVENT_DMC_CLKDIV2, /* memory controller, events of half the clock */
	NUM_PMU_CLASSES,   /* the classes above are the driver's, and are placed on counters */
	EVENT_PERF = NUM_PMU_CLASSES, /* of the Linux kernel: perf_event_attr type and config */
	NUM_EVENT_CLASSES,
};

/** Is it one of the driver's classes? (The kernel places its events itself.) */
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

/** The prefix of names of this class: "", "/dsu/", "/dmc_clk/", "/dmc_clkdiv2/" */
const char *event_class_prefix(enum event_class event_class);

/** The class of the prefix of @text (no prefix: core), case ignored. Returns its length. */
size_t event_class_split(const char *text, enum event_class *ret);

#endif
