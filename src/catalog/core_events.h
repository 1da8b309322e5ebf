/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_CORE_EVENTS_H
#define WPERF_CATALOG_CORE_EVENTS_H

/**
 * core_N/EVENTS/ in -e: events of one core. They are separated by core here, before event_spec.h
 * parses the events.
 *
 *	core_0/{r11,r8},{r11,r3,r4}/,core_1/{r11,r8}/
 */

#include "base/error.h"
#include "base/text/string_builder.h"

#include <stddef.h>

/** The events of one core, joined by commas. */
struct core_words {
	unsigned core;
	struct string_builder words;
};

struct core_events {
	struct core_words *items; /* ascending by core */
	size_t num_items, cap_items;
};

#define CORE_EVENTS_INIT \
	{                \
	}

/**
 * Take the events of single cores from @spec. Those of a core that was named before are appended.
 * @num_cores: of the machine.
 * @ret_rest: the events of all cores, or ""; to be freed.
 */
struct error *core_events_take(struct core_events *events, const char *spec, unsigned num_cores,
			       char **ret_rest);

void core_events_deinit(struct core_events *events);

#endif
