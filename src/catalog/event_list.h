/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_EVENT_LIST_H
#define WPERF_CATALOG_EVENT_LIST_H

/** The requested events in their order, before they are placed on counters. */

#include "base/error.h"
#include "catalog/event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The code that an event counts; if there is no modifier, -k decides. */
enum event_modifier {
	EVENT_ANY_LEVEL = 0,       /* of EVENT_LEVELS */
	EVENT_USER = 1 << 0,       /* :u */
	EVENT_KERNEL = 1 << 1,     /* :k */
	EVENT_HYPERVISOR = 1 << 2, /* :h */
	EVENT_LEVELS = EVENT_USER | EVENT_KERNEL | EVENT_HYPERVISOR,
	EVENT_GUEST = 1 << 3,    /* :G, only in virtual machines */
	EVENT_HOST = 1 << 4,     /* :H, only outside of them */
	EVENT_NOT_IDLE = 1 << 5, /* :I */
};

enum { EVENT_MAX_PRECISE = 3 };

enum { EVENT_UNGROUPED = -1 };

struct event_request {
	const struct event *event;
	const char *metric; /* the metric that needs it, or NULL */
	int group;          /* of its class, or EVENT_UNGROUPED */
	unsigned modifiers; /* enum event_modifier */
	unsigned precise;   /* precision of a sample's address: :p is 1, :ppp 3 */
	uint64_t interval;  /* events between two samples; 0: not set */
	uint32_t frequency; /* in Hz; 0: that of the run */
};

struct event_list {
	struct event_request *items;
	size_t num_items;
	size_t cap_items;
	int num_groups[NUM_EVENT_CLASSES];
};

#define EVENT_LIST_INIT \
	{               \
	}

/** Members of a group must be added without others in between. */
struct error *event_list_add(struct event_list *list, const struct event_request *request);

/** Make a new group of the items from @first on, which have the same class; at least one. */
void event_list_group(struct event_list *list, size_t first);

/**
 * Make each ungrouped event from @first on a group of its own, so that placement_create() keeps
 * their order.
 */
void event_list_keep_order(struct event_list *list, size_t first);

/** Is this its name or alias, as it was asked for (`cycles:u`)? */
bool event_request_is_called(const struct event_request *request, const char *name);

/** The place of the next event of this name, @first or behind it; num_items if there is none. */
size_t event_list_find(const struct event_list *list, size_t first, const char *name);

/** Of the group of the event at this place: where it begins, and how many it has. */
size_t event_list_leader(const struct event_list *list, size_t place);
size_t event_list_group_size(const struct event_list *list, size_t leader);

/** How many events of this class are in the list? */
size_t event_list_count(const struct event_list *list, enum event_class event_class);

/** Can the fixed cycle counter count it, too? */
bool event_is_cycles(const struct event *event);

void event_list_deinit(struct event_list *list);

#endif
