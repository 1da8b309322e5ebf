/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_MEMORY_EVENT_H
#define WPERF_PROFILE_MEMORY_EVENT_H

/** Which events of a profile are of memory, and what they measure. */

#include "profile/named_profile.h"

enum memory_event {
	MEMORY_EVENT_NONE,
	MEMORY_EVENT_ALLOCATED, /* bytes */
	MEMORY_EVENT_COUNT,     /* allocations */
	MEMORY_EVENT_BLOCKS,    /* allocations that are in use at the end */
	MEMORY_EVENT_TEMPORARY, /* bytes that were freed at once */
	MEMORY_EVENT_TOUCHED,   /* bytes of pages, by their first access */
	MEMORY_EVENT_AT_MOMENT, /* bytes at a moment that the user chose */
	MEMORY_EVENT_IN_USE,    /* bytes at the end */
	MEMORY_EVENT_LEAKED,    /* bytes that nothing points to */
	MEMORY_EVENT_AT_PEAK,   /* bytes when most was in use */
	MEMORY_EVENT_NUM,
};

/** What an event of this name weighs, if it is one of memory; NULL: no event of memory has it. */
const char *memory_event_unit(const char *name);

/** @event: a number of an event, or NAMED_NONE. */
enum memory_event memory_event_of(const struct named_profile *profile, uint32_t event);

/** The first event of the kind; NAMED_NONE: there is none. */
uint32_t memory_event_find(const struct named_profile *profile, enum memory_event kind);

/** Bytes of blocks that are in use at one moment: all of them, or those that are lost. */
static inline bool memory_event_is_in_use(enum memory_event kind)
{
	return kind == MEMORY_EVENT_AT_MOMENT || kind == MEMORY_EVENT_IN_USE ||
	       kind == MEMORY_EVENT_LEAKED || kind == MEMORY_EVENT_AT_PEAK;
}

#endif
