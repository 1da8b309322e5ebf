// SPDX-License-Identifier: Apache-2.0

#include "profile/hot/hot_list.h"

#include "base/container/array.h"
#include "profile/hot/hot_key_table.h"
#include "profile/interpreted/interpreted_raise.h"
#include "profile/interpreted/interpreted_task.h"
#include "profile/scheduler_frame.h"
#include "profile/tree/stack_preorder.h"
#include "profile/tree/stack_sums.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Two ways. Keys of samples (thread, process, CPU) are added up sample by sample. Keys of frames go
// by stacks: stack_sums.c adds up samples by stack first, hot_list_group_frames() gives each frame
// its entry, and hot_list_add_stacks() walks the tree of stacks in preorder with the path from the
// root. `self` goes to the entry of the leaf. `total` goes to each entry once per stack, however
// often it is on the path because of recursion: `num_open` counts the open nodes of each entry.
// This takes time by the number of stacks, not by samples times depth.
//
// Two stacks, main -> f -> f (3 samples) and main -> g (1), by function:
//
//	        self  total
//	f          3      3    once, though two of its frames are on the stack
//	g          1      1
//	main       0      4

struct grouping {
	struct hot_key_table *keys; /* those of the list's entries */
	struct hot_list *list;
	uint32_t outside; /* the entry of frames that are no items; NAMED_NONE: all are */
	/** Samples are of threads that wait: what the scheduler has is its caller's. */
	bool is_of_waits;
};

// The number of the entry with this key; if it is new, @item is what it stands for.
static struct error *find_entry(struct grouping *grouping, struct hot_key_value key, uint32_t item,
				uint32_t *ret)
{
	struct hot_list *list = grouping->list;
	struct error *err = hot_key_table_intern(grouping->keys, key, ret);
	if (err || *ret < list->num_entries)
		return err;
	err = array_reserve(&list->entries, &list->cap_entries, list->num_entries + 1);
	if (!err)
		list->entries[list->num_entries++] = (struct hot_entry){.item = item};
	return err;
}

// Samples come in runs of the same thread, on the same CPU: only a change asks the index.
static struct error *sum_samples(const struct named_profile *profile,
				 const struct profile_filter *filter, struct grouping *grouping)
{
	struct hot_list *list = grouping->list;
	const struct hot_key_info *info = hot_key_info(list->key);
	uint32_t item = 0;
	uint32_t entry = NAMED_NONE;
	for (size_t i = 0; i < profile->num_samples; i++) {
		const struct named_sample *sample = &profile->samples[i];
		if (!profile_filter_takes(filter, sample))
			continue;
		if (entry == NAMED_NONE || item != info->sample_item(sample)) {
			item = info->sample_item(sample);
			struct error *err =
				find_entry(grouping, info->value(profile, item), item, &entry);
			if (err)
				return err;
		}
		struct named_total sum = {sample->count, sample->weight};
		named_total_add(&list->entries[entry].self, sum);
		named_total_add(&list->whole, sum);
	}
	for (size_t i = 0; i < list->num_entries; i++)
		list->entries[i].total = list->entries[i].self;
	return NULL;
}

static bool hot_list_is_item(const struct named_profile *profile, const struct hot_key_info *info,
			     uint32_t frame)
{
	uint32_t function = profile->frames[frame].function;
	if (!info->is_interpreted)
		return true;
	enum hot_interpreted_kind kind = interpreted_task_is(profile, frame) ? HOT_INTERPRETED_TASKS
					 : interpreted_raise_is(profile, frame)
						 ? HOT_INTERPRETED_RAISES
						 : HOT_INTERPRETED_CODE;
	return profile->functions[function].kind == FRAME_INTERPRETED && kind == info->kind;
}

/** Like a file that no frame can have. */
static struct error *hot_list_group_frames(const struct named_profile *profile,
					   struct grouping *grouping, uint32_t *groups)
{
	struct hot_list *list = grouping->list;
	const struct hot_key_info *info = hot_key_info(list->key);
	// Native frames are one entry, whose key is like that of a file that no frame can have.
	const struct hot_key_value native = {{UINT64_MAX, UINT64_MAX}};
	struct error *err = NULL;
	if (info->is_interpreted)
		err = find_entry(grouping, native, NAMED_NONE, &grouping->outside);
	for (uint32_t i = 0; !err && i < profile->num_frames; i++) {
		const struct named_frame *frame = &profile->frames[i];
		if (!hot_list_is_item(profile, info, i)) {
			groups[i] = grouping->outside;
			continue;
		}
		err = find_entry(grouping, info->value(profile, i), info->frame_item(profile, i),
				 &groups[i]);
		if (err || list->key != HOT_ADDRESS)
			continue;
		// An instruction's inlined frames have its address, too; it stands for the function
		// around.
		struct hot_entry *entry = &list->entries[groups[i]];
		if (profile->frames[entry->item].is_inlined && !frame->is_inlined)
			entry->item = i;
	}
	return err;
}

/** A line that several functions share shows the one with the most self samples; of equal ones the
 *  first by name. The result does not depend on the order of frames in the profile. */
static struct error *hot_list_choose_functions(const struct named_profile *profile,
					       const struct stack_sums *sums,
					       const uint32_t *groups, struct hot_list *list)
{
	if (list->key != HOT_LINE && list->key != HOT_INTERPRETED_LINE)
		return NULL;
	_cleanup_free_ uint64_t *weights = calloc(profile->num_frames + 1, sizeof(*weights));
	if (!weights)
		return &error_no_memory;
	for (size_t i = 0; i < profile->stacks.num_nodes; i++)
		weights[profile->stacks.nodes[i].frame] += sums->self[i].weight;
	for (uint32_t i = 0; i < profile->num_frames; i++) {
		uint32_t *item = &list->entries[groups[i]].item;
		if (*item == NAMED_NONE || weights[i] < weights[*item])
			continue;
		uint32_t one = profile->frames[i].function;
		uint32_t other = profile->frames[*item].function;
		const struct named_function *functions = profile->functions;
		if (weights[i] > weights[*item] ||
		    strcmp(named_profile_text(profile, functions[one].name),
			   named_profile_text(profile, functions[other].name)) < 0)
			*item = i;
	}
	return NULL;
}

// Walks the tree with the path to each node: a total goes to an entry only where no caller is of
// the same entry. @num_open: how many nodes of the path are of each entry. What is no item joins
// the item that called it.
static struct error *hot_list_add_stacks(const struct named_profile *profile,
					 const struct stack_sums *sums, const uint32_t *groups,
					 const struct grouping *grouping)
{
	struct hot_list *list = grouping->list;
	const struct stack_table *stacks = &profile->stacks;
	_cleanup_free_ uint32_t *order = NULL;
	_cleanup_free_ uint32_t *path = calloc(stacks->num_nodes + 1, sizeof(*path));
	_cleanup_free_ uint32_t *num_open = calloc(list->num_entries + 1, sizeof(*num_open));
	if (!path || !num_open)
		return &error_no_memory;
	struct error *err = stack_preorder_create(stacks, NULL, &order);
	if (err)
		return err;
	uint32_t path_length = 0;
	for (size_t i = 0; i < stacks->num_nodes; i++) {
		const struct stack_node *node = &stacks->nodes[order[i]];
		// Depths begin at 1. What is not on the way to this node is left, innermost first.
		while (path_length >= node->depth)
			num_open[path[--path_length]]--;
		uint32_t group = groups[node->frame];
		// Only waits skip the scheduler's frames: there every stack ends in schedule(),
		// which says nothing. In samples of CPU time, the scheduler is work like any other.
		bool is_callers =
			group == grouping->outside ||
			(grouping->is_of_waits && scheduler_frame_is(profile, node->frame));
		if (is_callers && path_length)
			group = path[path_length - 1];
		path[path_length++] = group;
		// The weight of a stack belongs to its leaf. If the leaf is no item, the group is
		// that of its caller by now.
		named_total_add(&list->entries[group].self, sums->self[order[i]]);
		if (num_open[group]++ == 0)
			named_total_add(&list->entries[group].total, sums->total[order[i]]);
	}
	// Native code around interpreted code calls nearly all of it; that is nothing of its own.
	if (grouping->outside != NAMED_NONE)
		list->entries[grouping->outside].total = list->entries[grouping->outside].self;
	return NULL;
}

// Modules may have an entry of what is in none; what has no stack joins it.
static struct error *hot_list_add_unknown(struct hot_list *list, struct named_total none)
{
	if (!none.count)
		return NULL;
	size_t i = 0;
	while (list->entries && i < list->num_entries && list->entries[i].item != NAMED_NONE)
		i++;
	struct error *err = array_reserve(&list->entries, &list->cap_entries, i + 1);
	if (err)
		return err;
	if (i == list->num_entries)
		list->entries[list->num_entries++] = (struct hot_entry){.item = NAMED_NONE};
	named_total_add(&list->entries[i].self, none);
	named_total_add(&list->entries[i].total, none);
	return NULL;
}

static struct error *sum_stacks(const struct named_profile *profile,
				const struct profile_filter *filter, struct grouping *grouping)
{
	struct hot_list *list = grouping->list;
	_cleanup_(stack_sums_deinit) struct stack_sums sums = STACK_SUMS_INIT;
	_cleanup_free_ uint32_t *groups = calloc(profile->num_frames + 1, sizeof(*groups));
	if (!groups)
		return &error_no_memory;
	struct error *err = stack_sums_create(profile, filter, &sums);
	if (!err)
		err = hot_list_group_frames(profile, grouping, groups);
	if (!err && list->entries)
		err = hot_list_choose_functions(profile, &sums, groups, list);
	if (!err && list->entries)
		err = hot_list_add_stacks(profile, &sums, groups, grouping);
	if (err)
		return err;
	list->whole = sums.whole;
	return hot_list_add_unknown(list, sums.none);
}

static int compare_totals(struct named_total a, struct named_total b)
{
	if (a.weight != b.weight)
		return a.weight > b.weight ? -1 : 1;
	return a.count == b.count ? 0 : a.count > b.count ? -1 : 1;
}

static int hot_list_by_self(const void *left, const void *right)
{
	const struct hot_entry *a = left;
	const struct hot_entry *b = right;
	int order = compare_totals(a->self, b->self);
	if (!order)
		order = compare_totals(a->total, b->total);
	return order ? order : (a->item > b->item) - (a->item < b->item);
}

static int hot_list_by_total(const void *left, const void *right)
{
	const struct hot_entry *a = left;
	const struct hot_entry *b = right;
	int order = compare_totals(a->total, b->total);
	return order ? order : hot_list_by_self(left, right);
}

struct error *hot_list_create(const struct named_profile *profile, enum hot_key key,
			      enum hot_order order, const struct profile_filter *filter,
			      struct hot_list *ret)
{
	_cleanup_(hot_list_deinit) struct hot_list list = {.key = key};
	_cleanup_(hot_key_table_deinit) struct hot_key_table keys = {0};
	struct grouping grouping = {.keys = &keys, .list = &list, .outside = NAMED_NONE};
	grouping.is_of_waits =
		filter && filter->event != NAMED_NONE && profile->events[filter->event].is_whole;
	struct error *err = hot_key_info(key)->sample_item ? sum_samples(profile, filter, &grouping)
							   : sum_stacks(profile, filter, &grouping);
	if (err)
		return err;
	// Frames whose samples the filter leaves out have entries, too.
	size_t num_kept = 0;
	for (size_t i = 0; i < list.num_entries; i++)
		if (list.entries[i].total.count)
			list.entries[num_kept++] = list.entries[i];
	list.num_entries = num_kept;
	if (list.num_entries)
		qsort(list.entries, list.num_entries, sizeof(*list.entries),
		      order == HOT_BY_TOTAL ? hot_list_by_total : hot_list_by_self);
	*ret = list;
	list = (struct hot_list)HOT_LIST_INIT;
	return NULL;
}

void hot_list_deinit(struct hot_list *list)
{
	free(list->entries);
	*list = (struct hot_list)HOT_LIST_INIT;
}
