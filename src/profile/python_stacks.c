// SPDX-License-Identifier: Apache-2.0

#include "profile/python_stacks.h"

#include "base/cleanup.h"

#include <stdlib.h>

static bool is_python(const struct named_profile *profile, uint32_t frame)
{
	return profile->functions[profile->frames[frame].function].kind == FRAME_PYTHON;
}

bool python_stacks_are_there(const struct named_profile *profile)
{
	for (size_t i = 0; i < profile->num_functions; i++)
		if (profile->functions[i].kind == FRAME_PYTHON)
			return true;
	return false;
}

/** A parent's number is less than its children's, so that it is known when it is asked for. */
static struct error *reduce_stacks(struct named_profile *profile, size_t num, uint32_t *reduced)
{
	for (size_t i = 0; i < num; i++) {
		struct stack_node node = profile->stacks.nodes[i];
		uint32_t caller = node.parent == STACK_NONE ? STACK_NONE : reduced[node.parent];
		reduced[i] = caller;
		struct error *err = is_python(profile, node.frame)
					    ? stack_table_push(&profile->stacks, caller, node.frame,
							       &reduced[i])
					    : NULL;
		if (err)
			return err;
	}
	return NULL;
}

struct error *python_stacks_reduce(struct named_profile *profile)
{
	size_t num = profile->stacks.num_nodes;
	_cleanup_free_ uint32_t *reduced = calloc(num + 1, sizeof(*reduced));
	if (!reduced)
		return &error_no_memory;
	struct error *err = reduce_stacks(profile, num, reduced);
	for (size_t i = 0; !err && i < profile->num_samples; i++) {
		uint32_t *stack = &profile->samples[i].stack;
		if (*stack != STACK_NONE)
			*stack = reduced[*stack];
	}
	return err;
}
