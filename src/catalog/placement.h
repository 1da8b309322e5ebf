/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_PLACEMENT_H
#define WPERF_CATALOG_PLACEMENT_H

/**
 * Places events on counters. The events of one class form a row, which is divided into windows of
 * as many events as there are counters. A group is always within one window: gaps are filled with
 * ungrouped events, then with padding. If there are several windows, they take turns
 * (multiplexing).
 */

#include "base/error.h"
#include "catalog/event_list.h"

#include <stdbool.h>

struct placed_event {
	const struct event_request *request; /* NULL: padding */
	const struct event *event;           /* inst_spec for padding */
};

struct placement {
	enum event_class event_class;
	unsigned num_counters;
	struct placed_event *events;
	size_t num_events;
	size_t cap_events;
	bool multiplexed; /* more events than counters */
};

#define PLACEMENT_INIT \
	{              \
	}

/**
 * Place the events of one class.
 * @event_class:  one of the driver's; the kernel places its events itself.
 * @num_counters: free counters; not 0 if there are events of the class.
 * @max_events:   that the device accepts for this class, with padding; 0: any number.
 * @ret: its requests point into @list.
 */
struct error *placement_create(const struct event_list *list, enum event_class event_class,
			       unsigned num_counters, size_t max_events, struct placement *ret);
void placement_deinit(struct placement *placement);

enum { PLACEMENT_NOTE_MAX = 128 };

/** `e`, `e,imix`, `g0`, `g0,imix` or `p`; long metric names are truncated. Returns @buffer. */
const char *placement_note(const struct placed_event *event, char buffer[PLACEMENT_NOTE_MAX]);

#endif
