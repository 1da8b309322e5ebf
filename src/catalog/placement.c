// SPDX-License-Identifier: Apache-2.0

#include "catalog/placement.h"

#include "base/container/array.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Groups come first, in the order of the list: each begins a new window, whose rest is filled with
// ungrouped events or padding, or it replaces padding at the end of the row if it fits there
// (place_group()). Ungrouped events then follow without gaps. The last window of a row with groups
// is filled up, too. The driver takes windows by position only (window r begins at event r *
// num_counters), so that padding keeps the groups from being divided.

#define PADDING_EVENT(class)                                                   \
	{                                                                      \
		.name = "inst_spec", .title = "Padding",                       \
		.description = "Counted so that no group of events is split.", \
		.event_class = (class), .code = 0x1b,                          \
	}

static const struct event padding_events[NUM_PMU_CLASSES] = {
	[EVENT_CORE] = PADDING_EVENT(EVENT_CORE),
	[EVENT_DSU] = PADDING_EVENT(EVENT_DSU),
	[EVENT_DMC_CLK] = PADDING_EVENT(EVENT_DMC_CLK),
	[EVENT_DMC_CLKDIV2] = PADDING_EVENT(EVENT_DMC_CLKDIV2),
};

struct placer {
	const struct event_list *list;
	struct placement *placement;
	size_t next_ungrouped; /* index into the list: none is left before it */
	size_t num_padding;    /* at the end of the row */
};

static bool is_of_class(const struct placer *placer, size_t i)
{
	return placer->list->items[i].event->event_class == placer->placement->event_class;
}

/** @request: NULL for padding. */
static struct error *placement_append(struct placer *placer, const struct event_request *request)
{
	struct placement *placement = placer->placement;
	struct error *err = array_reserve(&placement->events, &placement->cap_events,
					  placement->num_events + 1);
	if (err)
		return err;
	placement->events[placement->num_events++] = (struct placed_event){
		.request = request,
		.event = request ? request->event : &padding_events[placement->event_class],
	};
	placer->num_padding = request ? 0 : placer->num_padding + 1;
	return NULL;
}

/** The next single event of the class, or NULL, which placement_append() takes for padding. */
static const struct event_request *take_ungrouped(struct placer *placer)
{
	const struct event_list *list = placer->list;
	while (placer->next_ungrouped < list->num_items) {
		size_t i = placer->next_ungrouped++;
		if (is_of_class(placer, i) && list->items[i].group == EVENT_UNGROUPED)
			return &list->items[i];
	}
	return NULL;
}

/** Fill the last window: with ungrouped events as long as there are some, then with padding. */
static struct error *fill_window(struct placer *placer)
{
	const struct placement *placement = placer->placement;
	while (placement->num_events % placement->num_counters) {
		struct error *err = placement_append(placer, take_ungrouped(placer));
		if (err)
			return err;
	}
	return NULL;
}

static struct error *place_group(struct placer *placer, const struct event_request *members,
				 size_t size)
{
	struct placement *placement = placer->placement;
	if (size > placement->num_counters)
		return error_create(ERROR_FAILED,
				    "cannot place a group of %zu %s events on %u counters", size,
				    event_class_name(placement->event_class),
				    placement->num_counters);
	if (size <= placer->num_padding) {
		size_t first = placement->num_events - placer->num_padding;
		for (size_t i = 0; i < size; i++) {
			placement->events[first + i] = (struct placed_event){
				.request = &members[i],
				.event = members[i].event,
			};
		}
		placer->num_padding -= size;
		return NULL;
	}
	for (size_t i = 0; i < size; i++) {
		struct error *err = placement_append(placer, &members[i]);
		if (err)
			return err;
	}
	return fill_window(placer);
}

/** How many items from @first on are in one group. */
static struct error *place_groups(struct placer *placer)
{
	const struct event_list *list = placer->list;
	for (size_t i = 0; i < list->num_items;) {
		if (!is_of_class(placer, i) || list->items[i].group == EVENT_UNGROUPED) {
			i++;
			continue;
		}
		size_t end = i + 1;
		while (end < list->num_items && is_of_class(placer, end) &&
		       list->items[end].group == list->items[i].group)
			end++;
		struct error *err = place_group(placer, &list->items[i], end - i);
		if (err)
			return err;
		i = end;
	}
	return NULL;
}

static struct error *place_ungrouped(struct placer *placer)
{
	// Without groups nothing can be torn apart, so the last window may stay short.
	bool has_groups = placer->placement->num_events != 0;
	for (const struct event_request *request; (request = take_ungrouped(placer));) {
		struct error *err = placement_append(placer, request);
		if (err)
			return err;
	}
	return has_groups ? fill_window(placer) : NULL;
}

struct error *placement_create(const struct event_list *list, enum event_class event_class,
			       unsigned num_counters, size_t max_events, struct placement *ret)
{
	assert(event_class_is_pmu(event_class));
	_cleanup_(placement_deinit) struct placement placement = {
		.event_class = event_class,
		.num_counters = num_counters,
	};
	if (num_counters == 0 && event_list_count(list, event_class))
		return error_create(ERROR_FAILED, "no free counters for %s events",
				    event_class_name(event_class));
	struct placer placer = {.list = list, .placement = &placement};
	struct error *err = place_groups(&placer);
	if (!err)
		err = place_ungrouped(&placer);
	if (err)
		return err;
	// Only now the number is known: padding depends on where the groups begin.
	if (max_events && placement.num_events > max_events)
		return error_create(ERROR_USAGE,
				    "error: too many %s (including padding) events: %zu > %zu",
				    event_class_name(event_class), placement.num_events,
				    max_events);
	placement.multiplexed = placement.num_events > num_counters;
	*ret = placement;
	placement = (struct placement)PLACEMENT_INIT;
	return NULL;
}

void placement_deinit(struct placement *placement)
{
	free(placement->events);
	*placement = (struct placement)PLACEMENT_INIT;
}

const char *placement_note(const struct placed_event *event, char buffer[PLACEMENT_NOTE_MAX])
{
	const struct event_request *request = event->request;
	if (!request) {
		snprintf(buffer, PLACEMENT_NOTE_MAX, "p");
		return buffer;
	}
	char place[16] = "e";
	if (request->group != EVENT_UNGROUPED)
		snprintf(place, sizeof(place), "g%d", request->group);
	snprintf(buffer, PLACEMENT_NOTE_MAX, "%s%s%s", place, request->metric ? "," : "",
		 request->metric ? request->metric : "");
	return buffer;
}
