/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_EVENT_LIST_H
#define WPERF_CATALOG_EVENT_LIST_H

/** Events that somebody asked for, in the order of asking, before they are put on counters. */

#include "base/error.h"
#include "catalog/event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Where an event counts; what the word did not say is decided by -k. */
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
	const char *metric; /* the metric that asked for it, or NULL */
	int group;          /* number of its group within its class, or EVENT_UNGROUPED */
	unsigned modifiers; /* enum event_modifier */
	unsigned precise;   /* :p is 1, :ppp 3: how exact the instruction of a sample must be */
	uint64_t interval;  /* events between two samples; 0: none was given */
	uint32_t frequency; /* samples a second; 0: those of the run */
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

/** Members of a group are added one right after the other. */
struct error *event_list_add(struct event_list *list, const struct event_request *request);

/** Make one more group of the items from @first on, which are of one class and not none. */
void event_list_group(struct event_list *list, size_t first);

/**
 * Make each event from @first on that is in no group a group of its own: then placement() leaves
 * all of them in their order.
 */
void event_list_keep_order(struct event_list *list, size_t first);

/** How many events of this class are in the list? */
size_t event_list_count(const struct event_list *list, enum event_class event_class);

/** Is it the event that the fixed cycle counter can count, too? */
bool event_is_cycles(const struct event *event);

/** Order for sampling: by code, cycles (0x11, the fixed counter) first; equal codes keep theirs. */
void event_list_sort_by_code(struct event_list *list);

void event_list_deinit(struct event_list *list);

#endif
