// SPDX-License-Identifier: Apache-2.0

#include "profile/spe/spe_target_list.h"

#include "profile/spe/spe_list.h"

#include <stdlib.h>

// Branches and their targets, the most often mispredicted first, as these are what costs; then the
// most frequent. The numbers of stacks break ties, so that the order is the same in each run. Items
// point into the profile, which the list must not outlive.

static int spe_target_list_compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_targets(const void *left, const void *right)
{
	const struct spe_target *a = *(const struct spe_target *const *)left;
	const struct spe_target *b = *(const struct spe_target *const *)right;
	int order = spe_target_list_compare(b->num_mispredicted, a->num_mispredicted);
	order = order ? order : spe_target_list_compare(b->count, a->count);
	order = order ? order : spe_target_list_compare(a->from, b->from);
	return order ? order : spe_target_list_compare(a->to, b->to);
}

struct error *spe_target_list_create(const struct named_profile *profile,
				     const struct profile_filter *filter,
				     struct spe_target_list *ret)
{
	const struct spe_targets *targets = &profile->spe->targets;
	struct spe_target_list list = {
		.items = calloc(targets->num_items + 1, sizeof(*list.items)),
	};
	if (!list.items)
		return &error_no_memory;
	for (size_t i = 0; i < targets->num_items; i++) {
		const struct spe_target *target = &targets->items[i];
		if (spe_filter_takes(filter, target->from, target->thread, target->event))
			list.items[list.num_items++] = target;
	}
	qsort(list.items, list.num_items, sizeof(*list.items), compare_targets);
	*ret = list;
	return NULL;
}

void spe_target_list_deinit(struct spe_target_list *list)
{
	free(list->items);
	*list = (struct spe_target_list)SPE_TARGET_LIST_INIT;
}
