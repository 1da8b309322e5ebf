// SPDX-License-Identifier: Apache-2.0

#include "library/compat/compat_items.h"

#include "base/container/array.h"
#include "library/compat/compat_text.h"
#include "library/compat/compat_thread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ERROR = 1024 };

/** Where a thread is in the items of one kind. */
struct item_place {
	struct compat_items *items;
	size_t next;
	bool is_own;     /* the thread collected them */
	unsigned number; /* that of the newest ones, which they were */
};

struct compat_reader {
	struct item_place places[COMPAT_NUM_KINDS];
	unsigned life; /* of the library, in which the places are good */
	bool has_error;
	wchar_t error[MAX_ERROR];
};

/** The newest items of each kind. */
static struct {
	struct compat_items *items;
	unsigned number;
} newest[COMPAT_NUM_KINDS];

/** How often all items were forgotten. */
static unsigned life;

static void compat_items_release(struct compat_items *items)
{
	if (items && --items->num_users == 0)
		compat_items_destroy(items);
}

static void compat_items_forget_places(struct compat_reader *reader)
{
	for (size_t i = 0; i < COMPAT_NUM_KINDS; i++)
		compat_items_release(reader->places[i].items);
	memset(reader->places, 0, sizeof(reader->places));
}

static void compat_items_end_thread(void *own)
{
	compat_thread_lock(COMPAT_LOCK_ITEMS);
	compat_items_forget_places(own);
	compat_thread_unlock(COMPAT_LOCK_ITEMS);
}

static struct compat_reader *own_reader(void)
{
	struct compat_reader *reader = compat_thread_own(sizeof(*reader), compat_items_end_thread);
	if (reader && reader->life != life) {
		compat_items_forget_places(reader);
		reader->life = life;
	}
	return reader;
}

struct error *compat_items_create(size_t item_size, struct compat_items **ret)
{
	struct compat_items *items = calloc(1, sizeof(*items));
	if (!items)
		return &error_no_memory;
	items->item_size = item_size;
	*ret = items;
	return NULL;
}

void compat_items_destroy(struct compat_items *items)
{
	if (!items)
		return;
	arena_deinit(&items->arena);
	free(items->items);
	free(items);
}

struct error *compat_items_add(struct compat_items *items, const void *item)
{
	struct error *err = array_reserve_bytes((void **)&items->items, &items->cap_items,
						items->num_items + 1, items->item_size);
	if (!err)
		memcpy(items->items + items->num_items++ * items->item_size, item,
		       items->item_size);
	return err;
}

struct error *compat_items_text(struct compat_items *items, const char *text, const wchar_t **ret)
{
	*ret = compat_text_wide(&items->arena, text);
	return text && !*ret ? &error_no_memory : NULL;
}

size_t compat_items_num(const struct compat_items *items)
{
	return items->num_items;
}

struct error *compat_items_publish(enum compat_kind kind, struct compat_items **given)
{
	compat_thread_lock(COMPAT_LOCK_ITEMS);
	struct compat_reader *reader = own_reader();
	if (reader) {
		struct compat_items *items = take_ptr(*given);
		compat_items_release(newest[kind].items);
		compat_items_release(reader->places[kind].items);
		items->num_users = 2;
		newest[kind].items = items;
		newest[kind].number++;
		reader->places[kind] = (struct item_place){.items = items, .is_own = true};
	}
	compat_thread_unlock(COMPAT_LOCK_ITEMS);
	return reader ? NULL : &error_no_memory;
}

/** A thread that collected none goes through the newest ones. */
static void follow_newest(enum compat_kind kind, struct item_place *place)
{
	if (place->is_own || !newest[kind].items ||
	    (place->items && place->number == newest[kind].number))
		return;
	compat_items_release(place->items);
	*place = (struct item_place){.items = newest[kind].items, .number = newest[kind].number};
	place->items->num_users++;
}

static struct error *take_next(enum compat_kind kind, void *item, bool *ret)
{
	struct compat_reader *reader = own_reader();
	if (!reader)
		return &error_no_memory;
	struct item_place *place = &reader->places[kind];
	follow_newest(kind, place);
	const struct compat_items *items = place->items;
	if (!items)
		return error_with_hint(error_create(ERROR_USAGE, "nothing was collected"),
				       "call the function with NULL as second argument first");
	*ret = place->next < items->num_items;
	if (*ret)
		memcpy(item, items->items + place->next++ * items->item_size, items->item_size);
	return NULL;
}

struct error *compat_items_next(enum compat_kind kind, void *item, bool *ret)
{
	*ret = false;
	compat_thread_lock(COMPAT_LOCK_ITEMS);
	struct error *err = take_next(kind, item, ret);
	compat_thread_unlock(COMPAT_LOCK_ITEMS);
	return err;
}

void compat_items_forget(void)
{
	compat_thread_lock(COMPAT_LOCK_ITEMS);
	for (size_t i = 0; i < COMPAT_NUM_KINDS; i++) {
		compat_items_release(newest[i].items);
		newest[i].items = NULL;
	}
	life++;
	compat_thread_unlock(COMPAT_LOCK_ITEMS);
}

void compat_items_note_error(const struct error *err)
{
	compat_thread_lock(COMPAT_LOCK_ITEMS);
	struct compat_reader *reader = own_reader();
	compat_thread_unlock(COMPAT_LOCK_ITEMS);
	if (!reader)
		return;
	reader->has_error = err != NULL;
	if (!err)
		return;
	char text[MAX_ERROR];
	snprintf(text, sizeof(text), "%s%s%s", err->message, err->hint ? "\n" : "",
		 err->hint ? err->hint : "");
	compat_text_fill(text, reader->error, MAX_ERROR);
}

const wchar_t *compat_items_error(void)
{
	compat_thread_lock(COMPAT_LOCK_ITEMS);
	const struct compat_reader *reader = own_reader();
	compat_thread_unlock(COMPAT_LOCK_ITEMS);
	return reader && reader->has_error ? reader->error : NULL;
}
