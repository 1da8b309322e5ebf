/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_TOPDOWN_H
#define WPERF_CATALOG_TOPDOWN_H

/**
 * Top-down analysis: a tree of metrics, from the first split of lost slots or cycles down to parts
 * of the core. Its leaves name the groups of metrics to look at next.
 */

#include "base/error.h"

#include <stddef.h>

/** A metric and its children. */
struct topdown_node {
	const char *metric;
	const char *next; /* names of metrics of the tree, or of groups, joined by commas; "" */
};

struct topdown_tree {
	const char *roots; /* names of metrics, joined by commas */
	const struct topdown_node *nodes;
	size_t num_nodes;
};

/** The name of the whole tree for -m. */
extern const char topdown_name[];

enum { TOPDOWN_MAX_ROWS = 64 };

/** A line of the tree; parents precede their children. */
struct topdown_row {
	const struct topdown_node *node;
	unsigned depth; /* 0 for a root */
};

/**
 * Fill @rows from the tree, and return their number. A larger tree, or one with a cycle, is
 * truncated.
 */
size_t topdown_flatten(const struct topdown_tree *tree, struct topdown_row rows[TOPDOWN_MAX_ROWS]);

/**
 * The names in node->next that are not metrics of the tree: the groups, joined by ", ".
 * @ret: to be freed.
 */
struct error *topdown_look_at(const struct topdown_tree *tree, const struct topdown_node *node,
			      char **ret);

#endif
