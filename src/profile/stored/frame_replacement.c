// SPDX-License-Identifier: Apache-2.0
// Modules, functions and frames are interned anew, in the order in which recordings have them:
// sample by sample, from the innermost frame on. Reports show the first function of several at one
// place. Then one pass over the old stacks, in which callers come first, makes the new ones.

#include "profile/stored/frame_replacement.h"

#include "base/container/array.h"

#include <stdlib.h>

struct frame_renewal {
	struct named_profile *profile; /* gets new tables */
	const struct frame_replacement *replacements;
	size_t num_replacements;
	struct named_frame *frames;
	struct named_function *functions;
	struct named_module *modules;
	struct stack_table stacks;
	/** By the old ones; NAMED_NONE: not yet. */
	uint32_t *new_frames, *new_functions, *new_modules;
	uint32_t *new_stacks;
	bool *is_done; /* of old stacks: their frames have new numbers */
};

static void frame_renewal_deinit(struct frame_renewal *renewal)
{
	free(renewal->frames);
	free(renewal->functions);
	free(renewal->modules);
	stack_table_deinit(&renewal->stacks);
	free(renewal->new_frames);
	free(renewal->new_functions);
	free(renewal->new_modules);
	free(renewal->new_stacks);
	free(renewal->is_done);
}

static uint32_t *frame_renewal_numbers(size_t num)
{
	uint32_t *numbers = malloc((num + 1) * sizeof(*numbers));
	for (size_t i = 0; numbers && i < num; i++)
		numbers[i] = NAMED_NONE;
	return numbers;
}

/** Takes the tables out of the profile. */
static struct error *frame_renewal_init(struct frame_renewal *renewal)
{
	struct named_profile *profile = renewal->profile;
	renewal->new_frames = frame_renewal_numbers(profile->num_frames);
	renewal->new_functions = frame_renewal_numbers(profile->num_functions);
	renewal->new_modules = frame_renewal_numbers(profile->num_modules);
	renewal->new_stacks = frame_renewal_numbers(profile->stacks.num_nodes);
	renewal->is_done = calloc(profile->stacks.num_nodes + 1, sizeof(*renewal->is_done));
	if (!renewal->new_frames || !renewal->new_functions || !renewal->new_modules ||
	    !renewal->new_stacks || !renewal->is_done)
		return &error_no_memory;
	renewal->frames = take_ptr(profile->frames);
	renewal->functions = take_ptr(profile->functions);
	renewal->modules = take_ptr(profile->modules);
	renewal->stacks = profile->stacks;
	profile->stacks = (struct stack_table)STACK_TABLE_INIT;
	profile->num_frames = profile->cap_frames = 0;
	profile->num_functions = profile->cap_functions = 0;
	profile->num_modules = profile->cap_modules = 0;
	struct hash_table *const indexes[] = {&profile->frame_index, &profile->function_index,
					      &profile->module_index};
	for (size_t i = 0; i < ARRAY_SIZE(indexes); i++) {
		hash_table_deinit(indexes[i]);
		*indexes[i] = (struct hash_table)HASH_TABLE_INIT;
	}
	return NULL;
}

static struct error *frame_renewal_function(struct frame_renewal *renewal, uint32_t old,
					    uint32_t *ret)
{
	struct named_function function = renewal->functions[old];
	struct error *err = NULL;
	if (function.module != NAMED_NONE) {
		uint32_t *module = &renewal->new_modules[function.module];
		if (*module == NAMED_NONE)
			err = named_profile_module(renewal->profile,
						   &renewal->modules[function.module], module);
		function.module = *module;
	}
	return err ? err : named_profile_function(renewal->profile, &function, ret);
}

/** Is the module another build than the one that it has become? */
static bool frame_renewal_is_other_build(const struct frame_renewal *renewal, uint32_t module)
{
	return module != NAMED_NONE &&
	       renewal->modules[module].build_id !=
		       renewal->profile->modules[renewal->new_modules[module]].build_id;
}

static struct error *frame_renewal_frame(struct frame_renewal *renewal, uint32_t old)
{
	struct named_frame frame = renewal->frames[old];
	uint32_t *function = &renewal->new_functions[frame.function];
	struct error *err = NULL;
	if (renewal->new_frames[old] != NAMED_NONE)
		return NULL;
	if (*function == NAMED_NONE)
		err = frame_renewal_function(renewal, frame.function, function);
	if (err)
		return err;
	if (frame_renewal_is_other_build(renewal, renewal->functions[frame.function].module))
		frame.address = 0; // it would be one of other code
	frame.function = *function;
	return named_profile_frame(renewal->profile, &frame, &renewal->new_frames[old]);
}

/** What a frame becomes, which may be itself. */
static struct frame_replacement frame_renewal_find(const struct frame_renewal *renewal,
						   const uint32_t *frame)
{
	bool is_replaced =
		*frame < renewal->num_replacements && renewal->replacements[*frame].num_frames;
	return is_replaced ? renewal->replacements[*frame] : (struct frame_replacement){frame, 1};
}

static struct error *frame_renewal_node(struct frame_renewal *renewal, uint32_t stack)
{
	struct frame_replacement frames =
		frame_renewal_find(renewal, &renewal->stacks.nodes[stack].frame);
	struct error *err = NULL;
	for (size_t i = 0; !err && i < frames.num_frames; i++)
		err = frame_renewal_frame(renewal, frames.frames[i]);
	renewal->is_done[stack] = true;
	return err;
}

static struct error *frame_renewal_number_frames(struct frame_renewal *renewal)
{
	const struct named_profile *profile = renewal->profile;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < profile->num_samples; i++) {
		uint32_t stack = profile->samples[i].stack;
		for (; !err && stack != STACK_NONE && !renewal->is_done[stack];
		     stack = renewal->stacks.nodes[stack].parent)
			err = frame_renewal_node(renewal, stack);
	}
	// Stacks without samples.
	for (uint32_t i = 0; !err && i < renewal->stacks.num_nodes; i++)
		if (!renewal->is_done[i])
			err = frame_renewal_node(renewal, i);
	return err;
}

static struct error *frame_renewal_push(struct frame_renewal *renewal, uint32_t stack)
{
	const struct stack_node *node = &renewal->stacks.nodes[stack];
	struct frame_replacement frames = frame_renewal_find(renewal, &node->frame);
	uint32_t made = node->parent == STACK_NONE ? (uint32_t)STACK_NONE
						   : renewal->new_stacks[node->parent];
	struct error *err = NULL;
	for (size_t i = frames.num_frames; !err && i > 0; i--)
		err = stack_table_push(&renewal->profile->stacks, made,
				       renewal->new_frames[frames.frames[i - 1]], &made);
	renewal->new_stacks[stack] = made;
	return err;
}

static void frame_renewal_renumber(struct frame_renewal *renewal)
{
	struct named_profile *profile = renewal->profile;
	for (size_t i = 0; i < profile->num_samples; i++)
		if (profile->samples[i].stack != STACK_NONE)
			profile->samples[i].stack = renewal->new_stacks[profile->samples[i].stack];
	if (profile->spe)
		spe_profile_renumber_stacks(profile->spe, renewal->new_stacks);
}

struct error *frame_replacement_apply(struct named_profile *profile,
				      const struct frame_replacement *replacements, size_t num)
{
	_cleanup_(frame_renewal_deinit) struct frame_renewal renewal = {
		.profile = profile, .replacements = replacements, .num_replacements = num};
	struct error *err = frame_renewal_init(&renewal);
	if (!err)
		err = frame_renewal_number_frames(&renewal);
	for (uint32_t i = 0; !err && i < renewal.stacks.num_nodes; i++)
		err = frame_renewal_push(&renewal, i);
	if (!err)
		frame_renewal_renumber(&renewal);
	return err;
}
