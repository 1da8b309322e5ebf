/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_TOPDOWN_H
#define WPERF_CATALOG_TOPDOWN_H

/**
 * The order in which metrics are asked when one looks for what holds a program up: a tree of
 * metrics, from where slots or cycles are lost at all down to a part of the core, and at its
 * leaves the groups of metrics to look at next.
 */

#include "base/error.h"

#include <stddef.h>

/** One metric, and what follows from it. */
struct topdown_node {
	const char *metric;
	const char *next; /* names of metrics of the tree, or of groups, joined by commas; "" */
};

struct topdown_tree {
	const char *roots; /* names of metrics, joined by commas */
	const struct topdown_node *nodes;
	size_t num_nodes;
};

/** What -m takes for all metrics of the tree. */
extern const char topdown_name[];

enum { TOPDOWN_MAX_ROWS = 64 };

/** The tree as lines, a metric before what is below it. */
struct topdown_row {
	const struct topdown_node *node;
	unsigned depth; /* 0 for a root */
};

/**
 * @rows: filled from the tree.
 * Returns their number; a tree of more, or one that comes back to itself, is cut.
 */
size_t topdown_flatten(const struct topdown_tree *tree, struct topdown_row rows[TOPDOWN_MAX_ROWS]);

/**
 * The names in node->next that are no metrics of the tree: the groups to look at, joined by ", ".
 * @ret: to be freed.
 */
struct error *topdown_look_at(const struct topdown_tree *tree, const struct topdown_node *node,
			      char **ret);

#endif
