// SPDX-License-Identifier: Apache-2.0

#include "process/mapping_list.h"

#include "base/container/array.h"
#include "base/container/bisect.h"

#include <stdlib.h>
#include <string.h>

// A sorted array without overlaps, shared by reference count and copied before the first change
// (make_own()). mapping_list_put() replaces what a new mapping covers: the first and the last old
// mapping may survive in part, and one in whose middle the new one is becomes two. A search by
// address is a bisection. The number of mappings of one process and of all together is limited, as
// a recording may contain any number; those left out are counted.

/** One old mapping in two parts and the new one: two more at most. */
enum { MOST_NEW = 2 };

struct mapping_list *mapping_list_share(struct mapping_list *list)
{
	if (list)
		list->num_users++;
	return list;
}

void mapping_list_release(struct mapping_list *list, struct mapping_room *room)
{
	if (!list || --list->num_users)
		return;
	room->num_used -= list->cap_items;
	free(list->items);
	free(list);
}

static struct error *mapping_list_reserve(struct mapping_list *list, size_t num_items,
					  struct mapping_room *room)
{
	room->num_used -= list->cap_items;
	struct error *err = array_reserve(&list->items, &list->cap_items, num_items);
	room->num_used += list->cap_items;
	return err;
}

/** What the new one leaves of an old one that it overlaps. */
static size_t add_remains(const struct mapping *old, const struct mapping *mapping, bool before,
			  struct mapping *parts, size_t num_parts)
{
	struct mapping part = *old;
	if (before) {
		part.end = mapping->start;
	} else {
		part.start = mapping->end;
		part.file_offset += part.start - old->start;
	}
	if (before ? old->start >= mapping->start : old->end <= mapping->end)
		return num_parts;
	parts[num_parts] = part;
	return num_parts + 1;
}

static void mapping_list_put(struct mapping_list *list, const struct mapping *mapping)
{
	// The old mappings that the new one touches are from @first to before @end.
	size_t first = BISECT_U64(list->items, list->num_items, end, mapping->start);
	size_t end = first;
	while (end < list->num_items && list->items[end].start < mapping->end)
		end++;
	struct mapping parts[1 + MOST_NEW];
	size_t num_parts = 0;
	if (end > first)
		num_parts = add_remains(&list->items[first], mapping, true, parts, num_parts);
	parts[num_parts++] = *mapping;
	if (end > first)
		num_parts = add_remains(&list->items[end - 1], mapping, false, parts, num_parts);
	// The parts take the place of the old ones.
	struct mapping *items = list->items;
	memmove(&items[first + num_parts], &items[end], (list->num_items - end) * sizeof(*items));
	memcpy(&items[first], parts, num_parts * sizeof(*items));
	list->num_items += num_parts;
	list->num_items -= end - first;
}

/** A list for one user, with what the old one has. */
static struct error *make_own(struct mapping_list **list, struct mapping_room *room)
{
	const struct mapping_list *old = *list;
	struct mapping_list *own = calloc(1, sizeof(*own));
	if (!own)
		return &error_no_memory;
	own->num_users = 1;
	size_t num_items = old ? old->num_items : 0;
	struct error *err = mapping_list_reserve(own, num_items + MOST_NEW, room);
	if (err) {
		mapping_list_release(own, room);
		return err;
	}
	if (num_items)
		memcpy(own->items, old->items, num_items * sizeof(*own->items));
	own->num_items = num_items;
	mapping_list_release(*list, room);
	*list = own;
	return NULL;
}

struct error *mapping_list_add(struct mapping_list **list, const struct mapping *mapping,
			       struct mapping_room *room)
{
	size_t num_items = *list ? (*list)->num_items : 0;
	bool is_own = *list && (*list)->num_users == 1;
	bool has_place = is_own && num_items + MOST_NEW <= (*list)->cap_items;
	// A list that grows takes up to twice its size.
	if (num_items + MOST_NEW > MAPPING_LIST_MAX ||
	    (!has_place && room->num_used + 2 * num_items > MAPPING_ROOM_MAX)) {
		room->num_cut++;
		return NULL;
	}
	struct error *err = is_own ? mapping_list_reserve(*list, num_items + MOST_NEW, room)
				   : make_own(list, room);
	if (!err)
		mapping_list_put(*list, mapping);
	return err;
}
