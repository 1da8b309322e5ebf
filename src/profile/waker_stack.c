// SPDX-License-Identifier: Apache-2.0

#include "profile/waker_stack.h"

#include "base/container/array.h"

#include <string.h>

// The kernel calls BPF programs at tracepoints by bpf_trace_run1() and its like, which are at most
// a few frames away from the innermost one. Behind them are kernel/sched/core.c and wait.c.

enum { MOST_OF_PROGRAM = 6 };

static const char *const wake_names[] = {
	"__traceiter_",        "__bpf_trace_",
	"try_to_wake_up",      "wake_up_",
	"__wake_up",           "default_wake_function",
	"woken_wake_function", "autoremove_wake_function",
	"complete_with_flags", "swake_up_",
	"child_wait_callback",
};

static bool waker_stack_begins(const struct named_profile *profile, uint32_t stack,
			       const char *prefix)
{
	const struct named_frame *frame = &profile->frames[profile->stacks.nodes[stack].frame];
	const struct named_function *function = &profile->functions[frame->function];
	return function->kind == FRAME_KERNEL &&
	       strncmp(named_profile_text(profile, function->name), prefix, strlen(prefix)) == 0;
}

static bool waker_stack_is_wake(const struct named_profile *profile, uint32_t stack)
{
	for (size_t i = 0; i < ARRAY_SIZE(wake_names); i++)
		if (waker_stack_begins(profile, stack, wake_names[i]))
			return true;
	return false;
}

uint32_t waker_stack_trim(const struct named_profile *profile, uint32_t stack)
{
	uint32_t trimmed = stack;
	for (int i = 0; trimmed != STACK_NONE; i++) {
		if (waker_stack_begins(profile, trimmed, "bpf_trace_run"))
			break;
		trimmed = i < MOST_OF_PROGRAM ? profile->stacks.nodes[trimmed].parent : STACK_NONE;
	}
	if (trimmed == STACK_NONE || profile->stacks.nodes[trimmed].parent == STACK_NONE)
		return stack;
	trimmed = profile->stacks.nodes[trimmed].parent;
	while (waker_stack_is_wake(profile, trimmed) &&
	       profile->stacks.nodes[trimmed].parent != STACK_NONE)
		trimmed = profile->stacks.nodes[trimmed].parent;
	return trimmed;
}

bool waker_stack_is_divider(const struct named_profile *profile, uint32_t frame)
{
	const struct named_function *function =
		&profile->functions[profile->frames[frame].function];
	return function->kind == FRAME_MARKER &&
	       strncmp(named_profile_text(profile, function->name), WAKER_STACK_DIVIDER,
		       strlen(WAKER_STACK_DIVIDER)) == 0;
}
