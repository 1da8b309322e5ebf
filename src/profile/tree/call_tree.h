/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_TREE_CALL_TREE_H
#define WPERF_PROFILE_TREE_CALL_TREE_H

/**
 * Who calls whom, by function: stacks that differ only in lines are the same here. The nodes
 * stand as a tree is printed: each is followed by what is below it, the hottest first.
 */

#include "base/error.h"
#include "profile/named_profile.h"
#include "profile/profile_filter.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum call_tree_shape {
	CALL_TREE_TOP_DOWN,  /* from the outermost function to what it calls */
	CALL_TREE_BOTTOM_UP, /* from where the time was spent to its callers */
	CALL_TREE_CALLEES,   /* what one function calls */
	CALL_TREE_CALLERS,   /* who calls one function */
};

struct call_tree_request {
	enum call_tree_shape shape;
	uint32_t function;  /* of CALLEES and CALLERS: the outermost time it is on a stack */
	double min_percent; /* of the whole: smaller nodes are left out */
	uint32_t max_depth; /* 0: no limit */
	const struct profile_filter *filter; /* NULL: all samples */
};

struct call_tree_node {
	uint32_t function; /* NAMED_NONE: the root of a whole tree */
	uint32_t depth;    /* 0: the root, which is the first node */
	bool is_last;      /* of those below the same node */
	struct named_total total;
	/** Of stacks that end here: in the function itself if the tree goes down, at an outermost
	 *  function if it goes up. */
	struct named_total self;
	struct named_total left_out; /* of the nodes below it that are too small, or too deep */
};

struct call_tree {
	struct call_tree_node *nodes;
	size_t num_nodes;         /* at least the root */
	size_t num_left_out;      /* nodes that are too small or too deep, or below such a one */
	struct named_total whole; /* of what the percentages are: of all samples of the filter */
};

#define CALL_TREE_INIT \
	{              \
	}

/** @ret: set only on success. */
struct error *call_tree_create(const struct named_profile *profile,
			       const struct call_tree_request *request, struct call_tree *ret);
void call_tree_deinit(struct call_tree *tree);

#endif
