/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_PLACEMENT_H
#define WPERF_CATALOG_PLACEMENT_H

/**
 * Which events are counted together. The events of one class are laid out in a row that is cut
 * into windows of as many events as there are counters. No group straddles two windows: gaps are
 * filled with ungrouped events, then with padding. If there is more than one window, counting
 * goes round them (multiplexing).
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
 * Lay out the events of one class.
 * @event_class: one of the driver's; the kernel places its events itself.
 * @num_counters: free counters; not 0 if there are events of the class.
 * @max_events:   what the device takes of this class, padding included; 0: any number.
 * @ret: its requests point into @list.
 */
struct error *placement_create(const struct event_list *list, enum event_class event_class,
			       unsigned num_counters, size_t max_events, struct placement *ret);
void placement_deinit(struct placement *placement);

/**
 * Which event counts on counter @counter in round @round? Rounds start at 0. Without
 * multiplexing every round is the same and counters behind the last event have none (SIZE_MAX).
 */
size_t placement_at(const struct placement *placement, uint64_t round, unsigned counter);

enum { PLACEMENT_NOTE_MAX = 128 };

/** `e`, `e,imix`, `g0`, `g0,imix` or `p`; a long metric name is cut. Returns @buffer. */
const char *placement_note(const struct placed_event *event, char buffer[PLACEMENT_NOTE_MAX]);

#endif
