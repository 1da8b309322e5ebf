// SPDX-License-Identifier: Apache-2.0

#include "source/memory/memory_events.h"

#include <string.h>

const char *const memory_own_events[] = {"alloc", "alloc-count", "alloc-temporary",
					 "heap",  "heap-at",     "heap-peak",
					 "leak",  "touched",     NULL};

struct error *memory_events_check(const struct event_list *events, const char *apart)
{
	const struct event_request *first = NULL;
	for (size_t i = 0; i < events->num_items; i++) {
		const struct event_request *request = &events->items[i];
		const char *name = request->event->name;
		bool is_apart = apart && strcmp(name, apart) == 0;
		if (first && !is_apart && request->interval != first->interval)
			return error_with_hint(
				error_create(ERROR_USAGE,
					     "'%s' and '%s' are of the same samples, and need the "
					     "same period",
					     first->event->name, name),
				"write the same number behind both names");
		first = !first && !is_apart ? request : first;
		for (size_t j = 0; j < i; j++)
			if (strcmp(events->items[j].event->name, name) == 0)
				return error_create(ERROR_USAGE, "event '%s' was given twice",
						    name);
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
