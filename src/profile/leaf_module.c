// SPDX-License-Identifier: Apache-2.0

#include "profile/leaf_module.h"

#include "base/text/name_pattern.h"

#include <stdlib.h>

/** NAMED_NONE: of no module, or not of native code. */
static uint32_t leaf_module_of(const struct named_profile *profile, uint32_t stack)
{
	if (stack == STACK_NONE)
		return NAMED_NONE;
	const struct named_frame *frame = &profile->frames[profile->stacks.nodes[stack].frame];
	const struct named_function *function = &profile->functions[frame->function];
	return function->kind == FRAME_NATIVE ? function->module : NAMED_NONE;
}

static bool leaf_module_matches(const struct named_profile *profile, const char *pattern,
				uint32_t index)
{
	const struct named_module *module = &profile->modules[index];
	return !pattern ||
	       name_pattern_match_glob(pattern, named_profile_text(profile, module->name)) ||
	       name_pattern_match_glob(pattern, named_profile_text(profile, module->path));
}

struct error *leaf_module_find(const struct named_profile *profile, uint32_t event,
			       const char *pattern, struct leaf_module *ret)
{
	_cleanup_free_ uint64_t *counts = calloc(profile->num_modules + 1, sizeof(*counts));
	if (!counts)
		return &error_no_memory;
	*ret = (struct leaf_module){.module = NAMED_NONE};
	for (size_t i = 0; i < profile->num_samples; i++) {
		const struct named_sample *sample = &profile->samples[i];
		if (event != NAMED_NONE && sample->event != event)
			continue;
		ret->num_all += sample->count;
		uint32_t module = leaf_module_of(profile, sample->stack);
		if (module != NAMED_NONE)
			counts[module] += sample->count;
	}
	for (uint32_t i = 0; i < profile->num_modules; i++) {
		if (counts[i] <= ret->num_samples || !leaf_module_matches(profile, pattern, i))
			continue;
		ret->module = i;
		ret->num_samples = counts[i];
	}
	return NULL;
}

void leaf_module_keep(struct named_profile *profile, uint32_t module)
{
	size_t kept = 0;
	for (size_t i = 0; i < profile->num_samples; i++)
		if (leaf_module_of(profile, profile->samples[i].stack) == module)
			profile->samples[kept++] = profile->samples[i];
	profile->num_samples = kept;
}
