/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_TREE_CALL_TREE_MATCH_H
#define WPERF_PROFILE_TREE_CALL_TREE_MATCH_H

/**
 * What other samples of the same profile have at the nodes of a top-down call tree: another event,
 * or another recording (profile_join.h).
 */

#include "base/error.h"
#include "profile/named_profile.h"
#include "profile/profile_filter.h"
#include "profile/tree/call_tree.h"

struct call_tree_match {
	struct named_total *totals; /* [node]: of the other samples with the same callers */
	struct named_total whole;   /* of all other samples */
	struct named_total gone;    /* of those that are in calls without any sample of the tree */
};

#define CALL_TREE_MATCH_INIT \
	{                    \
	}

/** @filter: that of the tree; @others: of the other samples. @ret: set only on success. */
struct error *call_tree_match_create(const struct named_profile *profile,
				     const struct call_tree *tree,
				     const struct profile_filter *filter,
				     const struct profile_filter *others,
				     struct call_tree_match *ret);
void call_tree_match_deinit(struct call_tree_match *match);

#endif
