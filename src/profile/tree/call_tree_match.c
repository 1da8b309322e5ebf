// SPDX-License-Identifier: Apache-2.0
// As in call_tree.c, a way is a stack whose frames are functions. The nodes of the tree are
// interned first, so that a way's number says which node it is; then each stack of the profile is,
// caller by caller, and its sums are added to its way. A tree leaves out small nodes: their ways
// come behind those of the nodes, and only count for what is gone.

#include "profile/tree/call_tree_match.h"

#include "base/cleanup.h"
#include "profile/tree/stack_sums.h"

#include <stdlib.h>

struct match_work {
	const struct named_profile *profile;
	struct stack_sums mine, others;
	struct stack_table ways;
	uint32_t *way_of;                        /* [stack] */
	struct named_total *mine_at, *others_at; /* [way] */
};

static void match_work_deinit(struct match_work *work)
{
	stack_sums_deinit(&work->mine);
	stack_sums_deinit(&work->others);
	stack_table_deinit(&work->ways);
	free(work->way_of);
	free(work->mine_at);
	free(work->others_at);
}

/** Node 0 is the root, which is no way: the way of a node is its number less one. */
static struct error *match_work_push_nodes(struct match_work *work, const struct call_tree *tree)
{
	uint32_t max_depth = 0;
	for (size_t i = 0; i < tree->num_nodes; i++)
		if (tree->nodes[i].depth > max_depth)
			max_depth = tree->nodes[i].depth;
	_cleanup_free_ uint32_t *way_at = calloc((size_t)max_depth + 1, sizeof(*way_at));
	if (!way_at)
		return &error_no_memory;
	way_at[0] = STACK_NONE;
	struct error *err = NULL;
	for (size_t i = 1; !err && i < tree->num_nodes; i++) {
		const struct call_tree_node *node = &tree->nodes[i];
		err = stack_table_push(&work->ways, way_at[node->depth - 1], node->function,
				       &way_at[node->depth]);
	}
	return err;
}

static struct error *match_work_push_stacks(struct match_work *work)
{
	const struct named_profile *profile = work->profile;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < profile->stacks.num_nodes; i++) {
		const struct stack_node *node = &profile->stacks.nodes[i];
		uint32_t parent =
			node->parent == STACK_NONE ? STACK_NONE : work->way_of[node->parent];
		err = stack_table_push(&work->ways, parent, profile->frames[node->frame].function,
				       &work->way_of[i]);
	}
	return err;
}

/** Totals of stacks have those of the stacks that they call; stacks of one way call different ones,
 *  so that nothing counts twice. */
static struct error *match_work_add(struct match_work *work)
{
	size_t num_ways = work->ways.num_nodes;
	work->mine_at = calloc(num_ways + 1, sizeof(*work->mine_at));
	work->others_at = calloc(num_ways + 1, sizeof(*work->others_at));
	if (!work->mine_at || !work->others_at)
		return &error_no_memory;
	for (size_t i = 0; i < work->profile->stacks.num_nodes; i++) {
		named_total_add(&work->mine_at[work->way_of[i]], work->mine.total[i]);
		named_total_add(&work->others_at[work->way_of[i]], work->others.total[i]);
	}
	return NULL;
}

/** Where a way ends whose caller both have. */
static struct named_total match_work_gone(const struct match_work *work)
{
	struct named_total gone = {0};
	for (size_t i = 0; i < work->ways.num_nodes; i++) {
		uint32_t parent = work->ways.nodes[i].parent;
		bool has_caller = parent == STACK_NONE || work->mine_at[parent].count;
		if (has_caller && !work->mine_at[i].count)
			named_total_add(&gone, work->others_at[i]);
	}
	return gone;
}

struct error *call_tree_match_create(const struct named_profile *profile,
				     const struct call_tree *tree,
				     const struct profile_filter *filter,
				     const struct profile_filter *others,
				     struct call_tree_match *ret)
{
	_cleanup_(match_work_deinit) struct match_work work = {.profile = profile};
	struct call_tree_match match = CALL_TREE_MATCH_INIT;
	struct error *err = stack_sums_create(profile, filter, &work.mine);
	if (!err)
		err = stack_sums_create(profile, others, &work.others);
	if (err)
		return err;
	work.way_of = calloc(profile->stacks.num_nodes + 1, sizeof(*work.way_of));
	if (!work.way_of)
		return &error_no_memory;
	err = match_work_push_nodes(&work, tree);
	if (!err)
		err = match_work_push_stacks(&work);
	if (!err)
		err = match_work_add(&work);
	if (err)
		return err;
	match.totals = calloc(tree->num_nodes, sizeof(*match.totals));
	if (!match.totals)
		return &error_no_memory;
	match.whole = match.totals[0] = work.others.whole;
	for (size_t i = 1; i < tree->num_nodes; i++)
		match.totals[i] = work.others_at[i - 1];
	match.gone = match_work_gone(&work);
	*ret = match;
	return NULL;
}

void call_tree_match_deinit(struct call_tree_match *match)
{
	free(match->totals);
	*match = (struct call_tree_match)CALL_TREE_MATCH_INIT;
}
