/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_LIBRARY_COMPAT_COMPAT_ITEMS_H
#define WPERF_LIBRARY_COMPAT_COMPAT_ITEMS_H

/**
 * The items that a function of wperf-lib.h gives one by one. Each collection has items and texts of
 * its own. A thread goes through the collection that it made last, or, if it made none, through the
 * newest one: so threads do not disturb each other, and one may collect for another. A collection
 * is freed when no thread has it any more.
 */

#include "base/container/arena.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

enum compat_kind {
	COMPAT_EVENTS,
	COMPAT_METRICS,
	COMPAT_STAT,
	COMPAT_SAMPLE,
	COMPAT_ANNOTATE,
	COMPAT_TEST,
	COMPAT_NUM_KINDS,
};

struct compat_items {
	struct arena arena; /* for texts */
	/* private */
	unsigned num_users; /* threads, and the newest of its kind */
	size_t item_size, num_items, cap_items;
	unsigned char *items;
};

/** @ret: ended by compat_items_destroy(), unless they are published. */
struct error *compat_items_create(size_t item_size, struct compat_items **ret);
void compat_items_destroy(struct compat_items *items); /* NULL is fine */
static inline void compat_items_destroyp(struct compat_items **items)
{
	compat_items_destroy(*items);
}

struct error *compat_items_add(struct compat_items *items, const void *item);
size_t compat_items_num(const struct compat_items *items);

/** A text in wchar_t, as long as the items; without memory an error. @text: NULL gives NULL. */
struct error *compat_items_text(struct compat_items *items, const char *text, const wchar_t **ret);

/** They are what this thread collected last, and the newest; *@items is NULL then. */
struct error *compat_items_publish(enum compat_kind kind, struct compat_items **items);

/** The calling thread's next item of this kind; an error if nobody collected any.
 *  @ret: was there one? */
struct error *compat_items_next(enum compat_kind kind, void *item, bool *ret);

/** Nobody has any items. */
void compat_items_forget(void);

/** The last error of the calling thread: NULL takes it away. */
void compat_items_note_error(const struct error *err);
const wchar_t *compat_items_error(void);

#endif
