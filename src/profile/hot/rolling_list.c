// SPDX-License-Identifier: Apache-2.0

#include "profile/hot/rolling_list.h"

#include "base/cleanup.h"
#include "base/container/array.h"

#include <stdlib.h>
#include <string.h>

// An exponential average: all sums are multiplied by `keep` before an interval is added, so that an
// item which is no longer hot fades within a few intervals. Entries are found by the item's number,
// which does not change while recording.
//
// With keep = 0.5 and 8 samples of f in the first interval only:
//
//	interval       1  2  3  4  5
//	f, as shown    8  4  2  1  1     then it is gone, as 0.25 is rounded to 0

static void rolling_list_fade(struct rolling_total *total, double keep)
{
	total->count *= keep;
	total->weight *= keep;
}

static void fade_entry(struct rolling_entry *entry, double keep)
{
	rolling_list_fade(&entry->self, keep);
	rolling_list_fade(&entry->total, keep);
}

static void rolling_list_insert(struct rolling_total *total, struct named_total more)
{
	total->count += (double)more.count;
	total->weight += (double)more.weight;
}

/** The entry of an item, or of none. */
static struct error *rolling_list_find(struct rolling_list *rolling, uint32_t item,
				       struct rolling_entry **ret)
{
	*ret = &rolling->none;
	if (item == NAMED_NONE)
		return NULL;
	size_t count = (size_t)item + 1;
	struct error *err = array_reserve(&rolling->entries, &rolling->cap_entries, count);
	if (err)
		return err;
	while (rolling->num_entries < count)
		rolling->entries[rolling->num_entries++] = (struct rolling_entry){0};
	*ret = &rolling->entries[item];
	return NULL;
}

struct error *rolling_list_add(struct rolling_list *rolling, const struct hot_list *interval,
			       double keep)
{
	rolling->key = interval->key;
	for (size_t i = 0; i < rolling->num_entries; i++)
		fade_entry(&rolling->entries[i], keep);
	fade_entry(&rolling->none, keep);
	rolling_list_fade(&rolling->whole, keep);
	rolling_list_insert(&rolling->whole, interval->whole);
	for (size_t i = 0; i < interval->num_entries; i++) {
		struct rolling_entry *entry;
		struct error *err = rolling_list_find(rolling, interval->entries[i].item, &entry);
		if (err)
			return err;
		rolling_list_insert(&entry->self, interval->entries[i].self);
		rolling_list_insert(&entry->total, interval->entries[i].total);
	}
	return NULL;
}

static struct named_total rolling_list_rounded(struct rolling_total total)
{
	return (struct named_total){(uint64_t)(total.count + 0.5), (uint64_t)(total.weight + 0.5)};
}

static void add_shown(const struct rolling_entry *entry, uint32_t item, struct hot_list *list)
{
	struct hot_entry shown = {item, rolling_list_rounded(entry->self),
				  rolling_list_rounded(entry->total)};
	// An item that has faded to less than half a sample is not shown. Its entry stays, as items
	// are numbers of the profile's tables and come again.
	if (shown.total.count)
		list->entries[list->num_entries++] = shown;
}

static int rolling_list_compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int rolling_list_by_self(const void *left, const void *right)
{
	const struct hot_entry *a = left;
	const struct hot_entry *b = right;
	int order = rolling_list_compare(b->self.weight, a->self.weight);
	order = order ? order : rolling_list_compare(b->total.weight, a->total.weight);
	return order ? order : rolling_list_compare(a->item, b->item);
}

struct error *rolling_list_show(const struct rolling_list *rolling, rolling_list_wants_fn wants,
				const void *context, struct hot_list *ret)
{
	_cleanup_(hot_list_deinit) struct hot_list list = {.key = rolling->key};
	struct error *err =
		array_reserve(&list.entries, &list.cap_entries, rolling->num_entries + 1);
	if (err)
		return err;
	for (size_t i = 0; i < rolling->num_entries; i++)
		if (!wants || wants(context, (uint32_t)i))
			add_shown(&rolling->entries[i], (uint32_t)i, &list);
	add_shown(&rolling->none, NAMED_NONE, &list);
	qsort(list.entries, list.num_entries, sizeof(*list.entries), rolling_list_by_self);
	list.whole = rolling_list_rounded(rolling->whole);
	*ret = list;
	list = (struct hot_list)HOT_LIST_INIT;
	return NULL;
}

void rolling_list_clear(struct rolling_list *rolling)
{
	rolling->num_entries = 0;
	rolling->none = (struct rolling_entry){0};
	rolling->whole = (struct rolling_total){0};
}

void rolling_list_deinit(struct rolling_list *rolling)
{
	free(rolling->entries);
	*rolling = (struct rolling_list)ROLLING_LIST_INIT;
}
