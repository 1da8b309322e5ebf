// SPDX-License-Identifier: Apache-2.0

#include "catalog/event_list.h"

#include "base/container/array.h"
#include "catalog/linux/system_event.h"

#include <stdlib.h>
#include <strings.h>

// Groups are numbered by class, because each class has counters of its own (placement.c). To keep
// the order of single events, event_list_keep_order() makes each a group of one, and numbers those
// behind anew, so that the numbers ascend with the list.

enum { CODE_CPU_CYCLES = 0x11 }; // Arm ARM, "Common event numbers": CPU_CYCLES

struct error *event_list_add(struct event_list *list, const struct event_request *request)
{
	struct error *err = array_reserve(&list->items, &list->cap_items, list->num_items + 1);
	if (err)
		return err;
	list->items[list->num_items++] = *request;
	int *num_groups = &list->num_groups[request->event->event_class];
	if (request->group >= *num_groups)
		*num_groups = request->group + 1;
	return NULL;
}

void event_list_group(struct event_list *list, size_t first)
{
	int group = list->num_groups[list->items[first].event->event_class]++;
	for (size_t i = first; i < list->num_items; i++)
		list->items[i].group = group;
}

void event_list_keep_order(struct event_list *list, size_t first)
{
	// The next free number of each class, behind those of the groups before @first.
	int next[NUM_EVENT_CLASSES] = {0};
	for (size_t i = 0; i < first; i++) {
		const struct event_request *request = &list->items[i];
		if (request->group >= next[request->event->event_class])
			next[request->event->event_class] = request->group + 1;
	}
	for (size_t i = first, end; i < list->num_items; i = end) {
		enum event_class event_class = list->items[i].event->event_class;
		int group = list->items[i].group;
		for (end = i + 1; group != EVENT_UNGROUPED && end < list->num_items &&
				  list->items[end].group == group &&
				  list->items[end].event->event_class == event_class;)
			end++;
		for (size_t k = i; k < end; k++)
			list->items[k].group = next[event_class];
		list->num_groups[event_class] = ++next[event_class];
	}
}

bool event_request_is_called(const struct event_request *request, const char *name)
{
	const struct event *event = request->event;
	const char *alias = event->event_class == EVENT_PERF ? system_event_of(event)->alias : NULL;
	return !strcasecmp(event->name, name) || (alias && !strcasecmp(alias, name));
}

size_t event_list_find(const struct event_list *list, size_t first, const char *name)
{
	size_t place = first;
	while (place < list->num_items && !event_request_is_called(&list->items[place], name))
		place++;
	return place;
}

static bool are_together(const struct event_request *a, const struct event_request *b)
{
	return a->group != EVENT_UNGROUPED && a->group == b->group &&
	       a->event->event_class == b->event->event_class;
}

size_t event_list_leader(const struct event_list *list, size_t place)
{
	while (place && are_together(&list->items[place - 1], &list->items[place]))
		place--;
	return place;
}

size_t event_list_group_size(const struct event_list *list, size_t leader)
{
	size_t end = leader + 1;
	while (end < list->num_items && are_together(&list->items[leader], &list->items[end]))
		end++;
	return end - leader;
}

size_t event_list_count(const struct event_list *list, enum event_class event_class)
{
	size_t count = 0;
	for (size_t i = 0; i < list->num_items; i++)
		count += list->items[i].event->event_class == event_class;
	return count;
}

bool event_is_cycles(const struct event *event)
{
	return event->event_class == EVENT_CORE && event->code == CODE_CPU_CYCLES;
}

void event_list_deinit(struct event_list *list)
{
	free(list->items);
	*list = (struct event_list)EVENT_LIST_INIT;
}
