// SPDX-License-Identifier: Apache-2.0

#include "profile/idle_samples.h"

#include "base/container/array.h"
#include "base/text/ascii.h"

#include <stdlib.h>
#include <string.h>

// The kernel has no list of idle functions, and they differ between CPUs and drivers. So a function
// is recognized by words in its name, but only in the idle task, where a false match costs nothing
// but idle time.

// Parts of the names of Linux' functions (cpuidle_enter_state, acpi_idle_do_entry, intel_idle,
// mwait_idle_with_hints, pv_native_safe_halt, arm_cpuidle_suspend, poll_idle, tdx_halt,
// acpi_processor_ffh_cstate_enter) and of Windows' (HalProcessorIdle, KiIdleLoop,
// PpmIdleGuestExecute).
static const char *const idle_words[] = {"idle", "halt", "mwait", "cstate"};

static bool idle_samples_begins_with(const char *text, const char *word)
{
	while (*word && ascii_lower(*text) == *word) {
		text++;
		word++;
	}
	return !*word;
}

bool idle_samples_is_idle_function(const char *name)
{
	for (; *name; name++)
		for (size_t i = 0; i < ARRAY_SIZE(idle_words); i++)
			if (idle_samples_begins_with(name, idle_words[i]))
				return true;
	return false;
}

/** By its name, which is in brackets if nobody knows it. */
/** Of the innermost function that is there at run time, or of one that is inlined into it. */
static bool is_idle_stack(const struct named_profile *profile, const bool *functions,
			  uint32_t stack)
{
	while (stack != STACK_NONE) {
		const struct stack_node *node = &profile->stacks.nodes[stack];
		const struct named_frame *frame = &profile->frames[node->frame];
		if (functions[frame->function])
			return true;
		// Only the function at the sampled address decides: what it was called from is idle
		// in all cases.
		if (!frame->is_inlined)
			return false;
		stack = node->parent;
	}
	return false;
}

struct error *idle_samples_leave_out(struct named_profile *profile,
				     const struct profile_filter *filter)
{
	_cleanup_free_ bool *functions = calloc(profile->num_functions + 1, sizeof(*functions));
	if (!functions)
		return &error_no_memory;
	for (size_t i = 0; i < profile->num_functions; i++) {
		const struct named_function *function = &profile->functions[i];
		// By its name, which is in brackets if nobody knows it.
		const char *name = named_profile_text(profile, function->name);
		functions[i] = function->kind == FRAME_KERNEL &&
			       (name[0] == '[' || idle_samples_is_idle_function(name));
	}
	for (size_t i = 0; i < profile->num_events; i++) {
		profile->events[i].idle = (struct named_total){0};
		profile->events[i].with_idle = (struct named_total){0};
	}
	size_t num_kept = 0;
	for (size_t i = 0; i < profile->num_samples; i++) {
		const struct named_sample *sample = &profile->samples[i];
		const struct named_thread *thread = &profile->threads[sample->thread];
		bool is_idle_task = !thread->pid && !thread->tid &&
				    !profile->events[sample->event].excludes_idle;
		bool is_idle = is_idle_task && is_idle_stack(profile, functions, sample->stack);
		if (profile_filter_takes(filter, sample)) {
			struct named_event *event = &profile->events[sample->event];
			struct named_total sum = {sample->count, sample->weight};
			named_total_add(&event->with_idle, sum);
			if (is_idle)
				named_total_add(&event->idle, sum);
		}
		if (!is_idle)
			profile->samples[num_kept++] = *sample;
	}
	profile->num_samples = num_kept;
	return NULL;
}
