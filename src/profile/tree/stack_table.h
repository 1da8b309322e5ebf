/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_TREE_STACK_TABLE_H
#define WPERF_PROFILE_TREE_STACK_TABLE_H

/**
 * Each different stack once, as a tree of callers: a stack is a node, its parent is the stack of
 * its caller. Two stacks with the same outer frames share the nodes of these. What a frame is,
 * only its number says here.
 */

#include "base/container/hash_table.h"
#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { STACK_NONE = UINT32_MAX }; /* the caller of the outermost frame: no stack */

struct stack_node {
	uint32_t parent; /* always less than the node's own number, or STACK_NONE */
	uint32_t frame;
	uint32_t depth; /* 1 for an outermost frame */
};

struct stack_table {
	struct hash_table index;
	struct stack_node *nodes;
	size_t num_nodes, cap_nodes;
};

#define STACK_TABLE_INIT \
	{                \
	}

/** The stack of @frame called by the stack @parent (or STACK_NONE). */
struct error *stack_table_push(struct stack_table *table, uint32_t parent, uint32_t frame,
			       uint32_t *ret);

/**
 * Intern a whole stack. @frames: leaf first. An empty one is STACK_NONE.
 */
struct error *stack_table_intern(struct stack_table *table, const uint32_t *frames,
				 size_t num_frames, uint32_t *ret);

/** Frames of the deepest stack; 0 of an empty table. */
uint32_t stack_table_max_depth(const struct stack_table *table);

void stack_table_deinit(struct stack_table *table);

#endif
