// SPDX-License-Identifier: Apache-2.0

#include "profile/interpreted/interpreted_stacks.h"

#include "base/cleanup.h"
#include "base/text/string_builder.h"
#include "profile/waker_stack.h"

#include <stdlib.h>

// Each stack becomes another one, once: callers have lower numbers than callees, so one pass
// forwards knows the new stack of the caller when it comes to a node. New stacks are pushed into
// the same table behind the old ones; then the samples are redirected.
//
// Native frames in small letters, outermost first:
//
//	stack             main  eval  A  B  c_call  C  memcpy
//	_reduce() gives   A  B  C
//	_hide() gives     main  eval  [Python]  c_call  [Python]  memcpy

static bool interpreted_stacks_has(const struct named_profile *profile, uint32_t frame)
{
	return profile->functions[profile->frames[frame].function].kind == FRAME_INTERPRETED;
}

bool interpreted_stacks_are_there(const struct named_profile *profile)
{
	for (size_t i = 0; i < profile->num_functions; i++)
		if (profile->functions[i].kind == FRAME_INTERPRETED)
			return true;
	return false;
}

uint32_t interpreted_stacks_innermost(const struct named_profile *profile, uint32_t stack)
{
	while (stack != STACK_NONE &&
	       !interpreted_stacks_has(profile, profile->stacks.nodes[stack].frame))
		stack = profile->stacks.nodes[stack].parent;
	return stack;
}

/** A marker that names the language of the profile. */
static struct error *interpreted_stacks_marker(struct named_profile *profile, const char *prefix,
					       uint32_t *ret)
{
	_cleanup_(string_builder_deinit) struct string_builder name = STRING_BUILDER_INIT;
	string_builder_appendf(&name, "%s%s]", prefix, profile->language->name);
	_cleanup_free_ char *text = NULL;
	struct error *err = string_builder_finish(&name, &text);
	return err ? err : named_profile_marker(profile, text, ret);
}

/** The stack of what no interpreted code called. */
struct error *interpreted_stacks_reduce(struct named_profile *profile)
{
	size_t num = profile->stacks.num_nodes;
	uint32_t marker, none;
	_cleanup_free_ uint32_t *reduced = calloc(num + 1, sizeof(*reduced));
	if (!reduced)
		return &error_no_memory;
	struct error *err = interpreted_stacks_marker(profile, "[no ", &marker);
	if (!err)
		err = stack_table_push(&profile->stacks, STACK_NONE, marker, &none);
	// A parent's number is less than its children's, so that it is known when it is asked for.
	for (size_t i = 0; !err && i < num; i++) {
		struct stack_node node = profile->stacks.nodes[i];
		uint32_t caller = node.parent == STACK_NONE ? STACK_NONE : reduced[node.parent];
		bool is_divider = waker_stack_is_divider(profile, node.frame);
		// What follows is another thread's, also behind a wait without any frame.
		if (is_divider && caller == STACK_NONE)
			caller = none;
		reduced[i] = caller;
		if (is_divider || interpreted_stacks_has(profile, node.frame))
			err = stack_table_push(&profile->stacks, caller, node.frame, &reduced[i]);
	}
	for (size_t i = 0; !err && i < profile->num_samples; i++) {
		uint32_t *stack = &profile->samples[i].stack;
		uint32_t rest = *stack == STACK_NONE ? STACK_NONE : reduced[*stack];
		// Samples without any interpreted frame are kept under a marker, so that
		// percentages are of all samples.
		*stack = rest == STACK_NONE ? none : rest;
	}
	return err;
}

/** @hidden: of each stack, what it becomes. */
struct error *interpreted_stacks_hide(struct named_profile *profile)
{
	size_t num = profile->stacks.num_nodes;
	uint32_t marker;
	_cleanup_free_ uint32_t *hidden = calloc(num + 1, sizeof(*hidden)); // what each becomes
	if (!hidden)
		return &error_no_memory;
	struct error *err = interpreted_stacks_marker(profile, "[", &marker);
	for (size_t i = 0; !err && i < num; i++) {
		struct stack_node node = profile->stacks.nodes[i];
		bool is_hidden = interpreted_stacks_has(profile, node.frame);
		bool has_caller = node.parent != STACK_NONE;
		uint32_t caller = has_caller ? hidden[node.parent] : STACK_NONE;
		hidden[i] = caller;
		// A run of interpreted frames becomes one marker: the marker of the outermost one
		// stands for all.
		if (is_hidden && has_caller &&
		    interpreted_stacks_has(profile, profile->stacks.nodes[node.parent].frame))
			continue;
		err = stack_table_push(&profile->stacks, caller, is_hidden ? marker : node.frame,
				       &hidden[i]);
	}
	for (size_t i = 0; !err && i < profile->num_samples; i++) {
		uint32_t *stack = &profile->samples[i].stack;
		*stack = *stack == STACK_NONE ? STACK_NONE : hidden[*stack];
	}
	return err;
}
