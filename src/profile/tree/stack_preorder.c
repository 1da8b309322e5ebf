// SPDX-License-Identifier: Apache-2.0

#include "profile/tree/stack_preorder.h"

// A preorder without recursion, as stacks may be thousands deep. The size of each subtree is known
// after one pass backwards. Then one pass forwards gives each node the next free place within its
// parent's range.
//
// The tree of stack_table.c with a third stack main -> f -> k, which came last:
//
//	number  frame  parent  size of its tree  place
//	0       main   -       5                 0
//	1       f      0       3                 1
//	2       g      1       1                 2
//	3       h      0       1                 4
//	4       k      1       1                 3

static uint32_t *create_numbers(size_t count)
{
	return calloc(count ? count : 1, sizeof(uint32_t));
}

struct error *stack_preorder_create(const struct stack_table *stacks, const uint32_t *numbers,
				    uint32_t **ret)
{
	_cleanup_free_ uint32_t *sizes = create_numbers(stacks->num_nodes);
	// The next free place within the tree of each node.
	_cleanup_free_ uint32_t *places = create_numbers(stacks->num_nodes);
	_cleanup_free_ uint32_t *order = create_numbers(stacks->num_nodes);
	if (!sizes || !places || !order)
		return &error_no_memory;
	// How many nodes are in the tree below each, with itself.
	for (size_t i = stacks->num_nodes; i > 0; i--) {
		sizes[i - 1]++;
		uint32_t parent = stacks->nodes[i - 1].parent;
		if (parent != STACK_NONE)
			sizes[parent] += sizes[i - 1];
	}
	// A node takes the next free place of its caller's, and the tree below it those behind.
	uint32_t root_place = 0;
	for (uint32_t i = 0; i < stacks->num_nodes; i++) {
		uint32_t number = numbers ? numbers[i] : i;
		uint32_t parent = stacks->nodes[number].parent;
		uint32_t *next = parent == STACK_NONE ? &root_place : &places[parent];
		order[*next] = number;
		places[number] = *next + 1;
		*next += sizes[number];
	}
	*ret = take_ptr(order);
	return NULL;
}
