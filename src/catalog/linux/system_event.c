// SPDX-License-Identifier: Apache-2.0

#include "catalog/linux/system_event.h"

#include "base/container/array.h"

// The catalogue keeps pointers: rows of the generic tables are constant, all other events are in
// its arena. The events are found in the order in which they were appended.

struct error *system_event_append(struct catalog *catalog, const struct system_event *event)
{
	struct error *err = array_reserve(&catalog->system_events, &catalog->cap_system_events,
					  catalog->num_system_events + 1);
	if (err)
		return err;
	catalog->system_events[catalog->num_system_events++] = &event->event;
	return NULL;
}
