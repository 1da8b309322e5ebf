// SPDX-License-Identifier: Apache-2.0

#include "report/waits/wait_places.h"

#include "base/container/array.h"
#include "report/calls/waiting_frame.h"

#include <stdlib.h>
#include <string.h>

static void wait_times_add(struct wait_times *times, const struct wait_sum *sum)
{
	times->count += sum->count;
	times->total_ns += sum->total_ns;
	if (sum->max_ns > times->max_ns)
		times->max_ns = sum->max_ns;
}

static int wait_times_compare(const struct wait_times *a, const struct wait_times *b)
{
	return (a->total_ns < b->total_ns) - (a->total_ns > b->total_ns);
}

static int wait_place_compare(const void *left, const void *right)
{
	const struct wait_place *a = left, *b = right;
	int order = wait_times_compare(&a->times, &b->times);
	if (order)
		return order;
	// So that two reports of a recording are the same.
	order = strcmp(a->kind, b->kind);
	if (!order)
		order = (a->frame > b->frame) - (a->frame < b->frame);
	if (!order)
		order = (a->end > b->end) - (a->end < b->end);
	if (!order)
		order = (a->waker > b->waker) - (a->waker < b->waker);
	return order ? order
		     : (a->waker_frame > b->waker_frame) - (a->waker_frame < b->waker_frame);
}

static int wait_kind_compare(const void *left, const void *right)
{
	const struct wait_kind *a = left, *b = right;
	int order = wait_times_compare(&a->times, &b->times);
	return order ? order : strcmp(a->kind, b->kind);
}

static const char *wait_places_kind(const struct named_profile *profile, const struct wait_sum *sum)
{
	if (sum->end == WAIT_END_CORE)
		return "core";
	if (sum->stack == STACK_NONE)
		return "other";
	const char *kind = waiting_frame_kind(profile, sum->stack);
	// A thread that waits for the GIL may only have begun to: then it is in no futex yet.
	bool may_be_gil = strcmp(kind, "condition") == 0 || strcmp(kind, "futex") == 0 ||
			  strcmp(kind, "other") == 0;
	return sum->has_gil_wait && may_be_gil ? "GIL" : kind;
}

static uint32_t wait_places_frame(const struct named_profile *profile, uint32_t stack)
{
	return waiting_frame_find(profile, waiting_frame_leave_kernel(profile, stack));
}

static bool wait_places_has(const void *owner, uint32_t index, const void *key)
{
	const struct wait_place *a = &((const struct wait_places *)owner)->items[index], *b = key;
	return a->frame == b->frame && a->end == b->end && a->waker == b->waker &&
	       a->waker_frame == b->waker_frame && strcmp(a->kind, b->kind) == 0;
}

static struct error *wait_places_find(struct wait_places *places, const struct wait_place *like,
				      struct wait_place **ret)
{
	const uint32_t words[] = {like->frame, (uint32_t)like->end, like->waker, like->waker_frame};
	uint64_t hash = hash_bytes(words, sizeof(words));
	uint32_t index = hash_table_find(&places->index, hash, wait_places_has, places, like);
	if (index != HASH_TABLE_NONE) {
		*ret = &places->items[index];
		return NULL;
	}
	struct error *err =
		array_reserve(&places->items, &places->cap_items, places->num_items + 1);
	if (!err)
		err = hash_table_insert(&places->index, hash, (uint32_t)places->num_items);
	if (err)
		return err;
	*ret = &places->items[places->num_items++];
	**ret = *like;
	return NULL;
}

/** There is room for all kinds that waiting_frame.c knows; the last one takes what is beyond. */
static void wait_places_add_kind(struct wait_places *places, const char *kind,
				 const struct wait_sum *sum)
{
	size_t i = 0;
	while (i < places->num_kinds && strcmp(places->kinds[i].kind, kind) != 0)
		i++;
	if (i == WAIT_MAX_KINDS)
		i--;
	else if (i == places->num_kinds)
		places->kinds[places->num_kinds++].kind = kind;
	wait_times_add(&places->kinds[i].times, sum);
}

static struct error *wait_places_add(struct wait_places *places, const struct wait_sum *sum)
{
	bool is_of_thread = sum->end == WAIT_END_THREAD;
	const struct wait_place like = {
		.kind = wait_places_kind(places->profile, sum),
		.frame = wait_places_frame(places->profile, sum->stack),
		.end = sum->end,
		.waker = sum->waker,
		.waker_frame = is_of_thread ? wait_places_frame(places->profile, sum->waker_stack)
					    : NAMED_NONE,
	};
	struct wait_place *place;
	struct error *err = wait_places_find(places, &like, &place);
	if (err)
		return err;
	wait_times_add(&place->times, sum);
	wait_times_add(&places->all, sum);
	wait_places_add_kind(places, like.kind, sum);
	places->num_by_end[sum->end] += sum->count;
	return NULL;
}

struct error *wait_places_init(struct wait_places *places, const struct named_profile *profile)
{
	*places = (struct wait_places){.profile = profile};
	struct error *err = NULL;
	for (size_t i = 0; !err && i < profile->waits.num_items; i++)
		err = wait_places_add(places, &profile->waits.items[i]);
	if (err)
		return err;
	qsort(places->items, places->num_items, sizeof(*places->items), wait_place_compare);
	qsort(places->kinds, places->num_kinds, sizeof(*places->kinds), wait_kind_compare);
	return NULL;
}

void wait_places_deinit(struct wait_places *places)
{
	free(places->items);
	hash_table_deinit(&places->index);
	*places = (struct wait_places){0};
}
