// SPDX-License-Identifier: Apache-2.0

#include "profile/tree/call_tree.h"

#include "base/container/array.h"
#include "profile/tree/stack_preorder.h"
#include "profile/tree/stack_sums.h"

#include <string.h>

// The four shapes are one algorithm: walk each stack in a direction, from a starting point, and
// intern the way in a stack table whose frames are functions. Top down goes from the outermost
// caller; bottom up from the leaf; callees and callers from the outermost call of one function
// (begins_function()), so that recursion counts once. sum_paths() adds each path to its parent,
// backwards, as parents have lower numbers. order_paths() sorts siblings by weight;
// call_tree_add_nodes() writes what is shown in preorder and adds the rest to `left_out`.
//
// The stacks main -> f -> g (3 samples), main -> g (1) and main -> g -> f -> g (1), in the four
// shapes; the two of one function are those of g:
//
//	top down        bottom up       callers of g    callees of g
//	all 5           all 5           g 5             g 5
//	  main 5          g 5             f 3             f 1
//	    f 3             f 4             main 3          g 1
//	      g 3             main 3      main 2
//	    g 2               g 1
//	      f 1               main 1
//	        g 1         main 1

// While it is built, a call tree is a stack table whose frames are functions: equal ways from the
// root are one node. STACK_NONE is the root.
struct call_paths {
	const struct named_profile *profile;
	const struct call_tree_request *request;
	struct stack_table table;
	struct named_total *self, *total; /* [path] */
	size_t cap_self, cap_total;
	struct named_total root_self;
};

static void call_paths_deinit(struct call_paths *paths)
{
	stack_table_deinit(&paths->table);
	free(paths->self);
	free(paths->total);
}

static uint32_t call_tree_function_of(const struct call_paths *paths, uint32_t stack)
{
	const struct named_profile *profile = paths->profile;
	return profile->frames[profile->stacks.nodes[stack].frame].function;
}

static struct error *call_tree_push(struct call_paths *paths, uint32_t parent, uint32_t stack,
				    uint32_t *ret)
{
	size_t num_before = paths->table.num_nodes;
	struct error *err =
		stack_table_push(&paths->table, parent, call_tree_function_of(paths, stack), ret);
	if (!err)
		err = array_reserve(&paths->self, &paths->cap_self, paths->table.num_nodes);
	if (err)
		return err;
	if (paths->table.num_nodes > num_before)
		paths->self[*ret] = (struct named_total){0};
	return NULL;
}

static void end_here(struct call_paths *paths, uint32_t path, struct named_total sum)
{
	named_total_add(path == STACK_NONE ? &paths->root_self : &paths->self[path], sum);
}

// Is the leaf of this stack the outermost call of the wanted function? @is_within: whether the
// function is on the stack; known for lower numbers, set here for this one.
static bool begins_function(const struct call_paths *paths, uint32_t stack, bool *is_within)
{
	uint32_t parent = paths->profile->stacks.nodes[stack].parent;
	bool callers_are = parent != STACK_NONE && is_within[parent];
	bool is_function = call_tree_function_of(paths, stack) == paths->request->function;
	is_within[stack] = callers_are || is_function;
	return is_function && !callers_are;
}

static struct error *call_tree_create_flags(const struct call_paths *paths, bool **ret)
{
	*ret = calloc(paths->profile->stacks.num_nodes + 1, sizeof(**ret));
	return *ret ? NULL : &error_no_memory;
}

// From the function of the request, which is the root, or from the outermost ones.
static struct error *add_downwards(struct call_paths *paths, const struct stack_sums *sums)
{
	const struct stack_table *stacks = &paths->profile->stacks;
	bool from_function = paths->request->shape == CALL_TREE_CALLEES;
	_cleanup_free_ bool *is_within = NULL;
	_cleanup_free_ uint32_t *path_of = calloc(stacks->num_nodes + 1, sizeof(*path_of));
	struct error *err = call_tree_create_flags(paths, &is_within);
	if (!err && !path_of)
		err = &error_no_memory;
	for (uint32_t i = 0; !err && i < stacks->num_nodes; i++) {
		uint32_t parent = stacks->nodes[i].parent;
		path_of[i] = STACK_NONE;
		bool begins = from_function && begins_function(paths, i, is_within);
		// Stacks that the filter leaves out make no nodes, not even empty ones.
		if (!sums->total[i].count || (from_function && !is_within[i]))
			continue;
		if (!begins)
			err = call_tree_push(paths,
					     parent == STACK_NONE ? STACK_NONE : path_of[parent], i,
					     &path_of[i]);
		if (!err)
			end_here(paths, path_of[i], sums->self[i]);
	}
	return err;
}

// The way from @stack, which itself is left out, to its outermost caller.
static struct error *add_callers(struct call_paths *paths, uint32_t stack, uint32_t path,
				 struct named_total sum)
{
	uint32_t max_depth = paths->request->max_depth ? paths->request->max_depth : UINT32_MAX;
	const struct stack_node *nodes = paths->profile->stacks.nodes;
	uint32_t depth = path == STACK_NONE ? 0 : 1;
	// One level more than is shown, so that what is left out is known to be there. The table of
	// ways grows with the product of stacks and depth otherwise.
	for (stack = nodes[stack].parent; stack != STACK_NONE && depth <= max_depth; depth++) {
		struct error *err = call_tree_push(paths, path, stack, &path);
		if (err)
			return err;
		stack = nodes[stack].parent;
	}
	end_here(paths, path, sum);
	return NULL;
}

static struct error *add_leaves_upwards(struct call_paths *paths, const struct stack_sums *sums)
{
	for (uint32_t i = 0; i < paths->profile->stacks.num_nodes; i++) {
		if (!sums->self[i].count)
			continue;
		uint32_t leaf;
		struct error *err = call_tree_push(paths, STACK_NONE, i, &leaf);
		if (!err)
			err = add_callers(paths, i, leaf, sums->self[i]);
		if (err)
			return err;
	}
	return NULL;
}

static struct error *add_function_upwards(struct call_paths *paths, const struct stack_sums *sums)
{
	_cleanup_free_ bool *is_within = NULL;
	struct error *err = call_tree_create_flags(paths, &is_within);
	for (uint32_t i = 0; !err && i < paths->profile->stacks.num_nodes; i++) {
		if (begins_function(paths, i, is_within) && sums->total[i].count)
			err = add_callers(paths, i, STACK_NONE, sums->total[i]);
	}
	return err;
}

// The root's total is what is returned.
static struct error *sum_paths(struct call_paths *paths, struct named_total *ret)
{
	size_t num_paths = paths->table.num_nodes;
	struct error *err = array_reserve(&paths->total, &paths->cap_total, num_paths + 1);
	if (err)
		return err;
	if (num_paths)
		memcpy(paths->total, paths->self, num_paths * sizeof(*paths->total));
	struct named_total root = paths->root_self;
	for (size_t i = num_paths; i > 0; i--) {
		uint32_t parent = paths->table.nodes[i - 1].parent;
		named_total_add(parent == STACK_NONE ? &root : &paths->total[parent],
				paths->total[i - 1]);
	}
	*ret = root;
	return NULL;
}

struct ranked_path {
	uint32_t path, depth;
	struct named_total total;
	const char *name, *module;
};

// Callers first; of the same caller the hottest first, and equal ones by name, so that the result
// does not depend on the order of stacks in the profile.
static int call_tree_by_rank(const void *left, const void *right)
{
	const struct ranked_path *a = left;
	const struct ranked_path *b = right;
	if (a->depth != b->depth)
		return a->depth < b->depth ? -1 : 1;
	if (a->total.weight != b->total.weight)
		return a->total.weight > b->total.weight ? -1 : 1;
	int order = strcmp(a->name, b->name);
	order = order ? order : strcmp(a->module, b->module);
	return order ? order : (a->path > b->path) - (a->path < b->path);
}

static struct ranked_path call_tree_rank(const struct call_paths *paths, uint32_t path)
{
	const struct named_profile *profile = paths->profile;
	const struct stack_node *node = &paths->table.nodes[path];
	const struct named_function *function = &profile->functions[node->frame];
	return (struct ranked_path){
		.path = path,
		.depth = node->depth,
		.total = paths->total[path],
		.name = named_profile_text(profile, function->name),
		.module = function->module == NAMED_NONE
				  ? ""
				  : named_profile_text(profile,
						       profile->modules[function->module].path),
	};
}

static struct error *order_paths(const struct call_paths *paths, uint32_t **ret)
{
	size_t num_paths = paths->table.num_nodes;
	_cleanup_free_ struct ranked_path *ranks = calloc(num_paths + 1, sizeof(*ranks));
	_cleanup_free_ uint32_t *numbers = calloc(num_paths + 1, sizeof(*numbers));
	if (!ranks || !numbers)
		return &error_no_memory;
	for (uint32_t i = 0; i < num_paths; i++)
		ranks[i] = call_tree_rank(paths, i);
	qsort(ranks, num_paths, sizeof(*ranks), call_tree_by_rank);
	for (size_t i = 0; i < num_paths; i++)
		numbers[i] = ranks[i].path;
	return stack_preorder_create(&paths->table, numbers, ret);
}

// What is not shown goes to its caller if that one is; a node below another that is not shown is
// neither. @place_of: where the nodes of the paths are.
static void call_tree_add_nodes(const struct call_paths *paths, const uint32_t *order,
				uint32_t *place_of, struct call_tree *tree)
{
	const struct call_tree_request *request = paths->request;
	for (size_t i = 0; i < paths->table.num_nodes; i++) {
		uint32_t path = order[i];
		const struct stack_node *node = &paths->table.nodes[path];
		uint32_t parent = node->parent == STACK_NONE ? 0 : place_of[node->parent];
		place_of[path] = NAMED_NONE;
		tree->num_left_out++; // until it is shown
		if (parent == NAMED_NONE)
			continue;
		bool is_too_deep = request->max_depth && node->depth > request->max_depth;
		if (is_too_deep ||
		    named_total_percent(paths->total[path], tree->whole) < request->min_percent) {
			named_total_add(&tree->nodes[parent].left_out, paths->total[path]);
			continue;
		}
		tree->num_left_out--;
		place_of[path] = (uint32_t)tree->num_nodes;
		tree->nodes[tree->num_nodes++] = (struct call_tree_node){
			.function = node->frame,
			.depth = node->depth,
			.total = paths->total[path],
			.self = paths->self[path],
		};
	}
}

// Backwards: the first node of a depth since the last one of a lower depth is the last there.
static struct error *mark_last(struct call_tree *tree)
{
	_cleanup_free_ bool *is_seen = calloc(tree->num_nodes + 1, sizeof(*is_seen));
	if (!is_seen)
		return &error_no_memory;
	for (size_t i = tree->num_nodes; i > 0; i--) {
		struct call_tree_node *node = &tree->nodes[i - 1];
		node->is_last = !is_seen[node->depth];
		is_seen[node->depth] = true;
		is_seen[node->depth + 1] = false;
	}
	return NULL;
}

static struct error *create_nodes(struct call_paths *paths, struct named_total whole,
				  struct call_tree *ret)
{
	const struct call_tree_request *request = paths->request;
	bool is_of_function =
		request->shape == CALL_TREE_CALLEES || request->shape == CALL_TREE_CALLERS;
	size_t num_paths = paths->table.num_nodes;
	struct named_total root_total;
	struct error *err = sum_paths(paths, &root_total);
	if (err)
		return err;
	_cleanup_free_ uint32_t *order = NULL;
	err = order_paths(paths, &order);
	if (err)
		return err;
	_cleanup_free_ uint32_t *place_of = calloc(num_paths + 1, sizeof(*place_of));
	_cleanup_(call_tree_deinit) struct call_tree tree = {.nodes = calloc(num_paths + 1,
									     sizeof(*tree.nodes)),
							     .num_nodes = 1,
							     .whole = whole};
	if (!place_of || !tree.nodes)
		return &error_no_memory;
	tree.nodes[0] = (struct call_tree_node){
		.function = is_of_function ? request->function : NAMED_NONE,
		.total = root_total,
		.self = paths->root_self,
	};
	call_tree_add_nodes(paths, order, place_of, &tree);
	err = mark_last(&tree);
	if (err)
		return err;
	*ret = tree;
	tree = (struct call_tree)CALL_TREE_INIT;
	return NULL;
}

struct error *call_tree_create(const struct named_profile *profile,
			       const struct call_tree_request *request, struct call_tree *ret)
{
	_cleanup_(stack_sums_deinit) struct stack_sums sums = STACK_SUMS_INIT;
	struct error *err = stack_sums_create(profile, request->filter, &sums);
	if (err)
		return err;
	_cleanup_(call_paths_deinit) struct call_paths paths = {.profile = profile,
								.request = request};
	if (request->shape == CALL_TREE_TOP_DOWN || request->shape == CALL_TREE_BOTTOM_UP)
		paths.root_self = sums.none;
	switch (request->shape) {
	case CALL_TREE_BOTTOM_UP:
		err = add_leaves_upwards(&paths, &sums);
		break;
	case CALL_TREE_CALLERS:
		err = add_function_upwards(&paths, &sums);
		break;
	default:
		err = add_downwards(&paths, &sums);
		break;
	}
	return err ? err : create_nodes(&paths, sums.whole, ret);
}

void call_tree_deinit(struct call_tree *tree)
{
	free(tree->nodes);
	*tree = (struct call_tree)CALL_TREE_INIT;
}
