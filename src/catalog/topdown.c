// SPDX-License-Identifier: Apache-2.0

#include "catalog/topdown.h"

#include "base/text/string_builder.h"

#include <string.h>

// A node names its children, and is found by its name: a tree has a dozen nodes. topdown_unfold()
// goes down before it goes on, so that the rows are in the order in which a tree is printed. A name
// without a node is that of a group of metrics, the advice at a leaf (topdown_look_at()). The room
// for rows ends a table with a cycle.

const char topdown_name[] = "topdown";

static const struct topdown_node *find_node(const struct topdown_tree *tree, const char *name,
					    size_t length)
{
	for (size_t i = 0; i < tree->num_nodes; i++) {
		const char *metric = tree->nodes[i].metric;
		if (strlen(metric) == length && strncmp(metric, name, length) == 0)
			return &tree->nodes[i];
	}
	return NULL;
}

/** The next name of a list, with its length; NULL behind the last. */
static const char *topdown_next_name(const char **list, size_t *length)
{
	*list += **list == ',';
	const char *name = *list;
	*length = strcspn(name, ",");
	*list += *length;
	return *length ? name : NULL;
}

static size_t topdown_unfold(const struct topdown_tree *tree, const char *names, unsigned depth,
			     struct topdown_row *rows, size_t num_rows)
{
	size_t length;
	for (const char *name; (name = topdown_next_name(&names, &length));) {
		const struct topdown_node *node = find_node(tree, name, length);
		if (!node || num_rows == TOPDOWN_MAX_ROWS) // a group of metrics has no row
			continue;
		rows[num_rows++] = (struct topdown_row){node, depth};
		num_rows = topdown_unfold(tree, node->next, depth + 1, rows, num_rows);
	}
	return num_rows;
}

size_t topdown_flatten(const struct topdown_tree *tree, struct topdown_row rows[TOPDOWN_MAX_ROWS])
{
	return topdown_unfold(tree, tree->roots, 0, rows, 0);
}

struct error *topdown_look_at(const struct topdown_tree *tree, const struct topdown_node *node,
			      char **ret)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	const char *names = node->next;
	size_t length;
	for (const char *name; (name = topdown_next_name(&names, &length));) {
		if (find_node(tree, name, length))
			continue;
		string_builder_append(&text, text.length ? ", " : "");
		string_builder_append_n(&text, name, length);
	}
	return string_builder_finish(&text, ret);
}
