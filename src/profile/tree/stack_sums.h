/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_TREE_STACK_SUMS_H
#define WPERF_PROFILE_TREE_STACK_SUMS_H

/** The samples of a profile summed up by stack, in one pass: what lists and trees start from. */

#include "base/error.h"
#include "profile/named_profile.h"
#include "profile/profile_filter.h"

struct stack_sums {
	struct named_total *self;  /* [stack]: of samples with exactly this stack */
	struct named_total *total; /* [stack]: and of those whose outer frames it is */
	struct named_total none;   /* of samples without a stack */
	struct named_total whole;  /* of all samples that the filter takes */
};

#define STACK_SUMS_INIT \
	{               \
	}

/** @filter: NULL for all samples. @ret: set only on success. */
struct error *stack_sums_create(const struct named_profile *profile,
				const struct profile_filter *filter, struct stack_sums *ret);
void stack_sums_deinit(struct stack_sums *sums);

#endif
