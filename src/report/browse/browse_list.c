// SPDX-License-Identifier: Apache-2.0
// Rows are numbers only: an entry of the hot list, and a node of its tree. They are listed anew
// when something is folded, which takes some milliseconds for 100,000 of them. What they show is
// looked up for those on the screen (browse_list_row()).

#include "report/browse/browse_list.h"

#include "base/container/array.h"
#include "profile/hot/hot_label.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void browse_list_deinit(struct browse_list *list)
{
	for (size_t i = 0; list->trees && i < list->hot.num_entries; i++) {
		call_tree_deinit(&list->trees[i].tree);
		free(list->trees[i].is_open);
	}
	free(list->trees);
	free(list->lines);
	free(list->only);
	free(list->is_hidden);
	hot_list_deinit(&list->hot);
	profile_filter_destroy(list->filter);
	*list = (struct browse_list)BROWSE_LIST_INIT;
}

bool browse_list_has_words(const char *text, size_t length, const char *words)
{
	size_t num_words = strlen(words);
	for (size_t i = 0; i + num_words <= length; i++) {
		size_t same = 0;
		while (same < num_words && tolower((unsigned char)text[i + same]) ==
						   tolower((unsigned char)words[same]))
			same++;
		if (same == num_words)
			return true;
	}
	return false;
}

static bool browse_list_has_below(const struct call_tree *tree, size_t node)
{
	bool has_child =
		node + 1 < tree->num_nodes && tree->nodes[node + 1].depth > tree->nodes[node].depth;
	return has_child || tree->nodes[node].left_out.count;
}

static void browse_list_add_tree(struct browse_list *list, uint32_t entry)
{
	const struct browse_tree *tree = &list->trees[entry];
	uint32_t hidden_from = UINT32_MAX; // nodes of this depth and deeper, below a folded one
	for (uint32_t i = 0; i < tree->tree.num_nodes; i++) {
		uint32_t depth = tree->tree.nodes[i].depth;
		if (depth >= hidden_from)
			continue;
		hidden_from = tree->is_open[i] ? UINT32_MAX : depth + 1;
		list->lines[list->num_lines++] = (struct browse_line){entry, i};
	}
}

static struct error *browse_list_list(struct browse_list *list)
{
	size_t most = 0;
	for (size_t i = 0; i < list->hot.num_entries; i++) {
		size_t num_nodes = list->trees[i].tree.num_nodes;
		most += num_nodes ? num_nodes : 1;
	}
	struct error *err = array_reserve(&list->lines, &list->cap_lines, most + 1);
	list->num_lines = 0;
	for (uint32_t i = 0; !err && i < list->hot.num_entries; i++) {
		if (list->only && list->is_hidden[i])
			continue;
		if (list->trees[i].tree.num_nodes)
			browse_list_add_tree(list, i);
		else
			list->lines[list->num_lines++] = (struct browse_line){i, 0};
	}
	return err;
}

/** That which a line is of. */
static void browse_list_append_function(const struct browse_list *list,
					const struct hot_entry *entry, struct string_builder *name)
{
	const struct named_profile *profile = list->request.profile;
	bool is_line = list->request.key == HOT_LINE || list->request.key == HOT_INTERPRETED_LINE;
	uint32_t function = is_line ? hot_label_function(&list->hot, profile, entry) : NAMED_NONE;
	if (function != NAMED_NONE)
		string_builder_appendf(name, "  %s",
				       named_profile_text(profile,
							  profile->functions[function].name));
}

/** A row's name, as it is shown. */
static struct error *browse_list_append_name(const struct browse_list *list,
					     const struct hot_entry *entry,
					     struct string_builder *name)
{
	hot_label_append(&list->hot, list->request.profile, entry, name);
	browse_list_append_function(list, entry, name);
	return name->failed ? &error_no_memory : NULL;
}

struct error *browse_list_show_only(struct browse_list *list, const char *words)
{
	_cleanup_(string_builder_deinit) struct string_builder name = STRING_BUILDER_INIT;
	_cleanup_free_ char *only = *words ? strdup(words) : NULL;
	free(take_ptr(list->only));
	if (!*words)
		return browse_list_list(list);
	if (!list->is_hidden)
		list->is_hidden = calloc(list->hot.num_entries + 1, sizeof(*list->is_hidden));
	if (!only || !list->is_hidden)
		return &error_no_memory;
	for (size_t i = 0; i < list->hot.num_entries; i++) {
		string_builder_clear(&name);
		struct error *err = browse_list_append_name(list, &list->hot.entries[i], &name);
		if (err)
			return err;
		const char *text = string_builder_peek(&name);
		list->is_hidden[i] = !browse_list_has_words(text, strlen(text), words);
	}
	list->only = take_ptr(only);
	return browse_list_list(list);
}

struct error *browse_list_create(const struct browse_list_request *request,
				 struct profile_filter *filter, struct browse_list *ret)
{
	_cleanup_(browse_list_deinit) struct browse_list list = {.request = *request,
								 .filter = filter};
	struct error *err =
		hot_list_create(request->profile, request->key, request->order, filter, &list.hot);
	if (err)
		return err;
	while (request->has_min_percent && list.hot.num_entries) {
		const struct hot_entry *last = &list.hot.entries[list.hot.num_entries - 1];
		struct named_total part = request->order == HOT_BY_TOTAL ? last->total : last->self;
		if (named_total_percent(part, list.hot.whole) >= request->min_percent)
			break;
		list.hot.num_entries--;
	}
	list.trees = calloc(list.hot.num_entries + 1, sizeof(*list.trees));
	err = list.trees ? browse_list_list(&list) : &error_no_memory;
	if (err)
		return err;
	*ret = list;
	list = (struct browse_list)BROWSE_LIST_INIT;
	return NULL;
}

static bool browse_list_may_unfold(const struct browse_list *list, uint32_t entry)
{
	return list->request.key == HOT_FUNCTION && list->hot.entries[entry].item != NAMED_NONE;
}

static struct error *browse_list_grow_tree(struct browse_list *list, uint32_t entry)
{
	struct browse_tree *tree = &list->trees[entry];
	if (tree->tree.num_nodes)
		return NULL;
	const struct call_tree_request request = {
		.shape = list->request.shape,
		.function = list->hot.entries[entry].item,
		.min_percent = list->request.min_percent,
		.filter = list->filter,
	};
	struct error *err = call_tree_create(list->request.profile, &request, &tree->tree);
	if (err)
		return err;
	tree->is_open = calloc(tree->tree.num_nodes, sizeof(*tree->is_open));
	return tree->is_open ? NULL : &error_no_memory;
}

/** Without listing the rows anew. */
static struct error *browse_list_set(struct browse_list *list, struct browse_line line,
				     bool is_open, bool with_below)
{
	struct browse_tree *tree = &list->trees[line.entry];
	if (!browse_list_may_unfold(list, line.entry) || (!is_open && !tree->tree.num_nodes))
		return NULL;
	struct error *err = browse_list_grow_tree(list, line.entry);
	if (err)
		return err;
	uint32_t depth = tree->tree.nodes[line.node].depth;
	for (size_t i = line.node; i < tree->tree.num_nodes; i++) {
		if (i > line.node && (!with_below || tree->tree.nodes[i].depth <= depth))
			break;
		tree->is_open[i] = is_open && browse_list_has_below(&tree->tree, i);
	}
	return NULL;
}

struct error *browse_list_fold(struct browse_list *list, size_t line, bool is_open, bool with_below)
{
	if (line >= list->num_lines)
		return NULL;
	struct error *err = browse_list_set(list, list->lines[line], is_open, with_below);
	return err ? err : browse_list_list(list);
}

struct error *browse_list_fold_all(struct browse_list *list, bool is_open, size_t max)
{
	struct error *err = NULL;
	for (uint32_t i = 0; !err && i < list->hot.num_entries && (!max || i < max); i++)
		err = browse_list_set(list, (struct browse_line){i, 0}, is_open, true);
	return err ? err : browse_list_list(list);
}

struct error *browse_list_set_shape(struct browse_list *list, enum call_tree_shape shape)
{
	list->request.shape = shape;
	for (size_t i = 0; i < list->hot.num_entries; i++) {
		call_tree_deinit(&list->trees[i].tree);
		free(take_ptr(list->trees[i].is_open));
	}
	return browse_list_list(list);
}

enum browse_fold browse_list_state(const struct browse_list *list, size_t line)
{
	struct browse_line at = list->lines[line];
	const struct browse_tree *tree = &list->trees[at.entry];
	if (!tree->tree.num_nodes)
		return browse_list_may_unfold(list, at.entry) ? BROWSE_CLOSED : BROWSE_LEAF;
	if (!browse_list_has_below(&tree->tree, at.node))
		return BROWSE_LEAF;
	return tree->is_open[at.node] ? BROWSE_OPEN : BROWSE_CLOSED;
}

size_t browse_list_find(const struct browse_list *list, struct browse_line node)
{
	size_t entry = 0;
	for (size_t i = 0; i < list->num_lines && list->lines[i].entry <= node.entry; i++) {
		if (list->lines[i].entry != node.entry)
			continue;
		if (list->lines[i].node == node.node)
			return i;
		if (!list->lines[i].node)
			entry = i;
	}
	return entry;
}

size_t browse_list_parent(const struct browse_list *list, size_t line)
{
	struct browse_line at = list->lines[line];
	const struct call_tree_node *nodes = list->trees[at.entry].tree.nodes;
	uint32_t depth = nodes ? nodes[at.node].depth : 0;
	while (depth && nodes[list->lines[line].node].depth >= depth)
		line--;
	return line;
}

uint32_t browse_list_function(const struct browse_list *list, size_t line)
{
	struct browse_line at = list->lines[line];
	if (at.node)
		return list->trees[at.entry].tree.nodes[at.node].function;
	return hot_label_function(&list->hot, list->request.profile, &list->hot.entries[at.entry]);
}

/** A row of a tree. */
static void browse_list_fill_node(const struct browse_list *list, const struct call_tree_node *node,
				  struct browse_row *row)
{
	row->depth = node->depth;
	row->total_percent = named_total_percent(node->total, list->hot.whole);
	row->num_samples = node->total.count;
}

struct error *browse_list_row(const struct browse_list *list, size_t line,
			      struct string_builder *name, struct browse_row *ret)
{
	const struct named_profile *profile = list->request.profile;
	struct browse_line at = list->lines[line];
	const struct hot_entry *entry = &list->hot.entries[at.entry];
	const struct call_tree *tree = &list->trees[at.entry].tree;
	uint32_t module = hot_label_module(&list->hot, profile, entry);
	struct browse_row row = {
		.self_percent = named_total_percent(entry->self, list->hot.whole),
		.total_percent = named_total_percent(entry->total, list->hot.whole),
		.num_samples = entry->self.count,
		.fold = browse_list_state(list, line),
	};
	if (tree->num_nodes)
		row.left_out_percent =
			named_total_percent(tree->nodes[at.node].left_out, list->hot.whole);
	if (at.node) {
		const struct named_function *function =
			&profile->functions[tree->nodes[at.node].function];
		browse_list_fill_node(list, &tree->nodes[at.node], &row);
		module = function->module;
		string_builder_append(name, named_profile_text(profile, function->name));
	} else {
		struct error *err = browse_list_append_name(list, entry, name);
		if (err)
			return err;
	}
	if (name->failed)
		return &error_no_memory;
	row.module = module == NAMED_NONE
			     ? ""
			     : named_profile_text(profile, profile->modules[module].name);
	row.name = string_builder_peek(name);
	*ret = row;
	return NULL;
}
