// SPDX-License-Identifier: Apache-2.0

#include "catalog/linux/access_events.h"

#include <string.h>

bool access_events_are_meant(const char *word)
{
	size_t length = strlen(ACCESS_EVENTS_WORD);
	return strncmp(word, ACCESS_EVENTS_WORD, length) == 0 &&
	       (!word[length] || word[length] == ':');
}

struct error *access_events_missing(void)
{
	return error_with_hint(
		error_create(ERROR_FAILED, "no event here samples accesses to memory: mem"),
		"it needs Arm SPE, PEBS of Intel (mem-loads) or IBS of AMD (ibs_op), "
		"which virtual machines often hide; elsewhere -e cache-misses shows "
		"which code misses the caches, and --source sim,spe=1 simulates SPE");
}

/** Is the word one of the terms, or the event, between the slashes? */
static bool has_term(const char *event_name, const char *word)
{
	for (const char *at = event_name; (at = strstr(at, word)); at++) {
		char behind = at[strlen(word)];
		bool begins = at > event_name && (at[-1] == '/' || at[-1] == ',');
		if (begins && (behind == '/' || behind == ','))
			return true;
	}
	return false;
}

bool access_events_have(const struct event *event)
{
	if (event->event_class != EVENT_PERF)
		return false;
	size_t length = strlen(ACCESS_EVENTS_IBS);
	if (strncmp(event->name, ACCESS_EVENTS_IBS, length) == 0 && event->name[length] == '/')
		return true;
	return has_term(event->name, "mem-loads") || has_term(event->name, "mem-stores");
}
