// SPDX-License-Identifier: Apache-2.0

#include "source/memory/memory_events.h"

#include <string.h>

struct error *memory_events_check(const struct event_list *events)
{
	for (size_t i = 0; i < events->num_items; i++) {
		const struct event_request *request = &events->items[i];
		if (request->interval != events->items[0].interval)
			return error_with_hint(
				error_create(ERROR_USAGE,
					     "'%s' and '%s' are of the same samples, and need the "
					     "same period",
					     events->items[0].event->name, request->event->name),
				"write the same number behind both names");
		for (size_t j = 0; j < i; j++)
			if (strcmp(events->items[j].event->name, request->event->name) == 0)
				return error_create(ERROR_USAGE, "event '%s' was given twice",
						    request->event->name);
	}
	return NULL;
}

struct error *memory_events_check_chain(enum sample_chain chain, const char *source)
{
	if (chain != SAMPLE_CHAIN_FP && chain != SAMPLE_CHAIN_LBR)
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE,
					    "source '%s' finds callers by unwind tables only",
					    source),
			       "leave out --call-graph");
}
