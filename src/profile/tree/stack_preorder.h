/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_TREE_STACK_PREORDER_H
#define WPERF_PROFILE_TREE_STACK_PREORDER_H

/**
 * The nodes of a stack table so that each is followed at once by what it calls, and that by what
 * it calls: as a tree is printed, or walked with the path to each node at hand.
 */

#include "base/error.h"
#include "profile/tree/stack_table.h"

#include <stdint.h>

/**
 * @numbers: all nodes, callers before what they call; those of one caller keep their order. NULL:
 *           in the order of the table.
 * @ret:     as many node numbers as the table has, to be freed. Set only on success.
 */
struct error *stack_preorder_create(const struct stack_table *stacks, const uint32_t *numbers,
				    uint32_t **ret);

#endif
