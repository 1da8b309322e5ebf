// SPDX-License-Identifier: Apache-2.0

#include "catalog/file/telemetry_topdown.h"

#include "catalog/cpu.h"
#include "catalog/file/telemetry_names.h"
#include "catalog/topdown.h"

#include <string.h>

// methodologies.topdown_methodology.decision_tree of the schema: `root_nodes` are names of metrics,
// and each of `metrics` has a name and its `next_items`, metrics of the tree or groups to look at.
// A metric that hangs on nothing is left out: Arm's tables have some.

/** One of `metrics`. */
static struct error *read_node(const struct json_node *tree, const struct json_value *item,
			       const struct cpu *cpu, struct arena *arena, struct topdown_node *ret)
{
	if (!json_value_is(item, JSON_VALUE_OBJECT))
		return json_node_error(tree, "metrics", "must be an array of objects");
	const struct json_node node = json_node_root(tree->file, item);
	struct error *err = json_node_line(&node, "name", arena, &ret->metric);
	if (err)
		return err;
	char printable[JSON_NODE_PRINTABLE_MAX];
	if (!cpu_find_metric(cpu, ret->metric))
		return json_node_error(tree, "metrics", "'%s' is not a metric of this file",
				       json_node_printable(ret->metric, printable));
	ret->next = "";
	return json_node_lacks(&node, "next_items")
		       ? NULL
		       : telemetry_names_join(&node, "next_items", cpu, true, arena, &ret->next);
}

static size_t telemetry_topdown_count(const struct json_value *names, const char *name)
{
	size_t count = 0;
	for (size_t i = 0; json_value_is(names, JSON_VALUE_ARRAY) && i < names->num_items; i++)
		count += json_value_is(&names->items[i], JSON_VALUE_STRING) &&
			 strcmp(names->items[i].string, name) == 0;
	return count;
}

/** How often the roots and the nodes name it. */
static size_t telemetry_topdown_places(const struct json_node *tree, const char *name)
{
	const struct json_value *metrics = json_value_member(tree->object, "metrics");
	const struct json_value *roots = json_value_member(tree->object, "root_nodes");
	size_t places = telemetry_topdown_count(roots, name);
	for (size_t i = 0; i < metrics->num_items; i++)
		places += telemetry_topdown_count(
			json_value_member(&metrics->items[i], "next_items"), name);
	return places;
}

static bool telemetry_topdown_has(const struct topdown_tree *tree, const char *name)
{
	for (size_t i = 0; i < tree->num_nodes; i++)
		if (strcmp(tree->nodes[i].metric, name) == 0)
			return true;
	return false;
}

/** Is it a tree: does it have roots, and every node at most one parent? Then it has no cycle that
 * could be reached. @read: from @tree, each part by itself. */
static struct error *check_tree(const struct json_node *tree, const struct topdown_tree *read)
{
	const struct json_value *roots = json_value_member(tree->object, "root_nodes");
	char printable[JSON_NODE_PRINTABLE_MAX];
	if (!roots->num_items)
		return json_node_error(tree, "root_nodes", "names no metric");
	for (size_t i = 0; i < roots->num_items; i++) {
		const char *root = roots->items[i].string;
		if (!telemetry_topdown_has(read, root))
			return json_node_error(tree, "root_nodes", "'%s' is not in 'metrics'",
					       json_node_printable(root, printable));
	}
	for (size_t i = 0; i < read->num_nodes; i++) {
		const char *metric = read->nodes[i].metric;
		if (telemetry_topdown_places(tree, metric) > 1)
			return json_node_error(tree, "metrics",
					       "'%s' has more than one place in the tree",
					       json_node_printable(metric, printable));
	}
	return NULL;
}

static struct error *read_tree(const struct json_node *tree, const struct cpu *cpu,
			       struct arena *arena, const struct topdown_tree **ret)
{
	const struct json_value *metrics = json_value_member(tree->object, "metrics");
	if (!json_value_is(metrics, JSON_VALUE_ARRAY))
		return json_node_error(tree, "metrics", "must be an array of metrics");
	if (metrics->num_items > TOPDOWN_MAX_ROWS)
		return json_node_error(tree, "metrics", "has more than %d metrics",
				       TOPDOWN_MAX_ROWS);
	struct topdown_tree *read = arena_alloc(arena, sizeof(*read));
	struct topdown_node *nodes = arena_alloc_array(arena, metrics->num_items, sizeof(*nodes));
	if (!read || !nodes)
		return &error_no_memory;
	*read = (struct topdown_tree){.nodes = nodes, .num_nodes = metrics->num_items};
	struct error *err =
		telemetry_names_join(tree, "root_nodes", cpu, false, arena, &read->roots);
	for (size_t i = 0; !err && i < metrics->num_items; i++)
		err = read_node(tree, &metrics->items[i], cpu, arena, &nodes[i]);
	if (!err)
		err = check_tree(tree, read);
	if (!err)
		*ret = read;
	return err;
}

struct error *telemetry_topdown_read(const struct json_node *root, const struct cpu *cpu,
				     struct arena *arena, const struct topdown_tree **ret)
{
	static const char *const path[] = {"methodologies", "topdown_methodology", "decision_tree"};
	struct json_node node = *root;
	*ret = NULL;
	for (size_t i = 0; i < sizeof(path) / sizeof(path[0]); i++) {
		struct json_node parent = node;
		if (json_node_lacks(&parent, path[i]))
			return NULL;
		struct error *err = json_node_object(&parent, path[i], &node);
		if (err)
			return err;
	}
	return read_tree(&node, cpu, arena, ret);
}
