// SPDX-License-Identifier: Apache-2.0

#include "profile/tree/stack_sums.h"

#include <string.h>

// Nodes of a stack table are numbered so that a caller has a lower number than its callees. One
// pass backwards therefore turns sums by stack into totals, in place of walking up from each
// sample.
//
// Samples in g (3), h (2) and f itself (1):
//
//	        main   f   g   h
//	self       0   1   3   2
//	total      6   4   3   2

static struct named_total *create_totals(size_t count)
{
	return calloc(count ? count : 1, sizeof(struct named_total));
}

// A caller's number is less than that of what it calls: backwards, each sum is complete when it
// is added to its caller's.
static void add_to_callers(const struct stack_table *stacks, struct stack_sums *sums)
{
	sums->whole = sums->none;
	for (size_t i = stacks->num_nodes; i > 0; i--) {
		uint32_t parent = stacks->nodes[i - 1].parent;
		named_total_add(parent == STACK_NONE ? &sums->whole : &sums->total[parent],
				sums->total[i - 1]);
	}
}

struct error *stack_sums_create(const struct named_profile *profile,
				const struct profile_filter *filter, struct stack_sums *ret)
{
	size_t num_stacks = profile->stacks.num_nodes;
	_cleanup_(stack_sums_deinit) struct stack_sums sums = {
		.self = create_totals(num_stacks),
		.total = create_totals(num_stacks),
	};
	if (!sums.self || !sums.total)
		return &error_no_memory;
	for (size_t i = 0; i < profile->num_samples; i++) {
		const struct named_sample *sample = &profile->samples[i];
		if (!profile_filter_takes(filter, sample))
			continue;
		struct named_total *sum =
			sample->stack == STACK_NONE ? &sums.none : &sums.self[sample->stack];
		sum->count += sample->count;
		sum->weight += sample->weight;
	}
	memcpy(sums.total, sums.self, num_stacks * sizeof(*sums.total));
	add_to_callers(&profile->stacks, &sums);
	*ret = sums;
	sums = (struct stack_sums)STACK_SUMS_INIT;
	return NULL;
}

void stack_sums_deinit(struct stack_sums *sums)
{
	free(sums->self);
	free(sums->total);
	*sums = (struct stack_sums)STACK_SUMS_INIT;
}
