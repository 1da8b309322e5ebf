// SPDX-License-Identifier: Apache-2.0

#include "profile/spe/spe_list.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "profile/hot/hot_key_table.h"

#include <stdlib.h>
#include <string.h>

// Groups of SPE samples (spe_sums.c) are joined to rows. What makes a row is its key: one for all,
// the origin of the data, the kind of operation, or a key of the innermost frame, as in a hot list
// (hot_key.c). A row has the statistics of its groups and the number of its first group, which also
// breaks ties, so that the order is the same in each run.
//
// Rows are sorted by what the topic is about (spe_order_weight()): a list of latencies by cycles in
// all, not by the mean, so that a slow operation that hardly ever runs does not come first.

struct grouping {
	const struct named_profile *profile;
	struct hot_key_table *keys; /* those of the list's rows */
	struct spe_list *list;
};

bool spe_filter_takes(const struct profile_filter *filter, uint32_t stack, uint32_t thread,
		      uint32_t event)
{
	const struct named_sample sample = {
		.stack = stack, .thread = thread, .event = event, .cpu = NAMED_NONE};
	if (filter && filter->threads && thread == NAMED_NONE)
		return false;
	return profile_filter_takes(filter, &sample);
}

static struct hot_key_value key_of(const struct grouping *grouping, const struct spe_group *group,
				   uint32_t *ret_item)
{
	static const struct hot_key_value no_place = {{UINT64_MAX, UINT64_MAX}};
	const struct named_profile *profile = grouping->profile;
	*ret_item = NAMED_NONE;
	switch (grouping->list->by) {
	case SPE_BY_ALL:
		return (struct hot_key_value){};
	case SPE_BY_ORIGIN:
		return (struct hot_key_value){
			{group->origin.level, (uintptr_t)group->origin.source}};
	case SPE_BY_OPERATION:
		return (struct hot_key_value){{group->operation}};
	default:
		if (group->stack == STACK_NONE)
			return no_place;
		uint32_t frame = profile->stacks.nodes[group->stack].frame;
		const struct hot_key_info *info = hot_key_info(grouping->list->by);
		*ret_item = info->frame_item(profile, frame);
		return info->value(profile, frame);
	}
}

static struct error *spe_list_add_group(struct grouping *grouping, uint32_t number)
{
	struct spe_list *list = grouping->list;
	const struct spe_group *group = &grouping->profile->spe->sums.groups[number];
	// What is no load and has no data source packet has no origin.
	if (list->by == SPE_BY_ORIGIN && group->origin.level == SPE_LEVEL_NONE)
		return NULL;
	uint32_t item, index;
	struct hot_key_value key = key_of(grouping, group, &item);
	struct error *err = hot_key_table_intern(grouping->keys, key, &index);
	if (!err && index >= list->num_rows) {
		err = array_reserve(&list->rows, &list->cap_rows, list->num_rows + 1);
		if (!err)
			list->rows[list->num_rows++] =
				(struct spe_row){.item = item, .group = number};
	}
	return err ? err : spe_stats_add(&list->rows[index].stats, group);
}

uint64_t spe_order_weight(enum spe_order order, const struct spe_stats *stats)
{
	switch (order) {
	case SPE_ORDER_LATENCY:
		return stats->latencies[SPE_COUNTER_TOTAL].sum;
	case SPE_ORDER_BEYOND:
		return spe_stats_num_loaded(stats) - stats->levels[SPE_DISTANCE_L1];
	case SPE_ORDER_MISSES:
		return stats->rates[SPE_RATE_L1D_MISS].count +
		       stats->rates[SPE_RATE_TLB_WALK].count;
	case SPE_ORDER_BRANCHES:
		return stats->rates[SPE_RATE_MISPREDICTED].count;
	default:
		return stats->count;
	}
}

static int spe_list_compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int spe_list_compare_rows(const void *left, const void *right, void *context)
{
	const struct spe_row *a = left, *b = right;
	const enum spe_order *order = context;
	int result = spe_list_compare(spe_order_weight(*order, &b->stats),
				      spe_order_weight(*order, &a->stats));
	result = result ? result : spe_list_compare(b->stats.count, a->stats.count);
	return result ? result : spe_list_compare(a->group, b->group);
}

struct error *spe_list_create(const struct named_profile *profile, unsigned by,
			      enum spe_order order, const struct profile_filter *filter,
			      struct spe_list *ret)
{
	_cleanup_(spe_list_deinit) struct spe_list list = {.by = by};
	_cleanup_(hot_key_table_deinit) struct hot_key_table keys = {0};
	struct grouping grouping = {.profile = profile, .keys = &keys, .list = &list};
	const struct spe_sums *sums = &profile->spe->sums;
	struct error *err = NULL;
	for (uint32_t i = 0; !err && i < sums->num_groups; i++) {
		const struct spe_group *group = &sums->groups[i];
		if (spe_filter_takes(filter, group->stack, group->thread, group->event))
			err = spe_list_add_group(&grouping, i);
	}
	for (size_t i = 0; !err && i < list.num_rows; i++)
		err = spe_stats_merge(&list.whole, &list.rows[i].stats);
	if (err)
		return err;
	if (list.num_rows)
		qsort_r(list.rows, list.num_rows, sizeof(*list.rows), spe_list_compare_rows,
			&order);
	*ret = list;
	list = (struct spe_list)SPE_LIST_INIT;
	return NULL;
}

void spe_list_deinit(struct spe_list *list)
{
	for (size_t i = 0; i < list->num_rows; i++)
		spe_stats_deinit(&list->rows[i].stats);
	free(list->rows);
	spe_stats_deinit(&list->whole);
	*list = (struct spe_list)SPE_LIST_INIT;
}
