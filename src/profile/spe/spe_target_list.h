/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_SPE_SPE_TARGET_LIST_H
#define WPERF_PROFILE_SPE_SPE_TARGET_LIST_H

/** Branches with their targets, those that were mispredicted most often first. */

#include "profile/named_profile.h"
#include "profile/profile_filter.h"

struct spe_target_list {
	const struct spe_target **items; /* of the profile */
	size_t num_items;
};

#define SPE_TARGET_LIST_INIT \
	{                    \
	}

/** @profile: with SPE. @filter: NULL for all samples. @ret: set only on success. */
struct error *spe_target_list_create(const struct named_profile *profile,
				     const struct profile_filter *filter,
				     struct spe_target_list *ret);
void spe_target_list_deinit(struct spe_target_list *list);

#endif
