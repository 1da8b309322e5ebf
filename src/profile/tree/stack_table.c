// SPDX-License-Identifier: Apache-2.0

#include "profile/tree/stack_table.h"

#include "base/container/array.h"

// Stacks are a tree: a node is a frame and the node of its caller, and is found by these two
// numbers in a hash table. Equal stacks are one node, and stacks with the same outermost callers
// share them. Nodes are never removed, and a caller is always pushed before its callees: its number
// is lower. Sums over callers or callees rely on that and need no recursion (stack_sums.c,
// stack_preorder.c, call_tree.c).
//
// Two stacks, main -> f -> g and main -> h, are four nodes:
//
//	number  parent      frame  depth
//	0       STACK_NONE  main   1
//	1       0           f      2
//	2       1           g      3
//	3       0           h      2

// What tells a node from its siblings; its parent and frame, which are hashed as these bytes.
struct stack_key {
	uint32_t parent;
	uint32_t frame;
};

static bool stack_table_has_key(const void *owner, uint32_t index, const void *key)
{
	const struct stack_table *table = owner;
	const struct stack_node *node = &table->nodes[index];
	const struct stack_key *wanted = key;
	return node->parent == wanted->parent && node->frame == wanted->frame;
}

struct error *stack_table_push(struct stack_table *table, uint32_t parent, uint32_t frame,
			       uint32_t *ret)
{
	struct stack_key key = {.parent = parent, .frame = frame};
	uint64_t hash = hash_bytes(&key, sizeof(key));
	uint32_t stack = hash_table_find(&table->index, hash, stack_table_has_key, table, &key);
	if (stack == HASH_TABLE_NONE) {
		stack = (uint32_t)table->num_nodes;
		struct error *err =
			array_reserve(&table->nodes, &table->cap_nodes, table->num_nodes + 1);
		if (!err)
			err = hash_table_insert(&table->index, hash, stack);
		if (err)
			return err;
		uint32_t caller_depth = parent == STACK_NONE ? 0 : table->nodes[parent].depth;
		table->nodes[table->num_nodes++] = (struct stack_node){
			.parent = parent,
			.frame = frame,
			.depth = caller_depth + 1,
		};
	}
	*ret = stack;
	return NULL;
}

struct error *stack_table_intern(struct stack_table *table, const uint32_t *frames,
				 size_t num_frames, uint32_t *ret)
{
	uint32_t stack = STACK_NONE;
	for (size_t i = num_frames; i > 0; i--) {
		struct error *err = stack_table_push(table, stack, frames[i - 1], &stack);
		if (err)
			return err;
	}
	*ret = stack;
	return NULL;
}

uint32_t stack_table_max_depth(const struct stack_table *table)
{
	uint32_t depth = 0;
	for (size_t i = 0; i < table->num_nodes; i++) {
		if (table->nodes[i].depth > depth)
			depth = table->nodes[i].depth;
	}
	return depth;
}

void stack_table_deinit(struct stack_table *table)
{
	hash_table_deinit(&table->index);
	free(table->nodes);
	*table = (struct stack_table)STACK_TABLE_INIT;
}
