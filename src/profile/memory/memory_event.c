// SPDX-License-Identifier: Apache-2.0

#include "profile/memory/memory_event.h"

#include <string.h>

// Files have no more than the names and units of events.

static const struct {
	const char *name, *unit;
} memory_events[MEMORY_EVENT_NUM] = {
	[MEMORY_EVENT_ALLOCATED] = {"alloc", "bytes"},
	[MEMORY_EVENT_COUNT] = {"alloc-count", "allocations"},
	[MEMORY_EVENT_BLOCKS] = {"heap-count", "blocks"},
	[MEMORY_EVENT_TEMPORARY] = {"alloc-temporary", "bytes"},
	[MEMORY_EVENT_TOUCHED] = {"touched", "bytes"},
	[MEMORY_EVENT_AT_MOMENT] = {"heap-at", "bytes"},
	[MEMORY_EVENT_IN_USE] = {"heap", "bytes"},
	[MEMORY_EVENT_LEAKED] = {"leak", "bytes"},
	[MEMORY_EVENT_AT_PEAK] = {"heap-peak", "bytes"},
};

const char *memory_event_unit(const char *name)
{
	for (size_t kind = MEMORY_EVENT_NONE + 1; kind < MEMORY_EVENT_NUM; kind++)
		if (strcmp(name, memory_events[kind].name) == 0)
			return memory_events[kind].unit;
	return NULL;
}

enum memory_event memory_event_of(const struct named_profile *profile, uint32_t event)
{
	if (event >= profile->num_events)
		return MEMORY_EVENT_NONE;
	const struct named_event *named = &profile->events[event];
	const char *name = named_profile_text(profile, named->name);
	const char *unit = named_profile_text(profile, named->unit);
	enum memory_event kind = MEMORY_EVENT_NONE + 1;
	while (kind < MEMORY_EVENT_NUM && (strcmp(name, memory_events[kind].name) != 0 ||
					   strcmp(unit, memory_events[kind].unit) != 0))
		kind++;
	return kind < MEMORY_EVENT_NUM ? kind : MEMORY_EVENT_NONE;
}

uint32_t memory_event_find(const struct named_profile *profile, enum memory_event kind)
{
	for (uint32_t i = 0; i < profile->num_events; i++)
		if (memory_event_of(profile, i) == kind)
			return i;
	return NAMED_NONE;
}
