// SPDX-License-Identifier: Apache-2.0

#include "stack/stack_naming.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/text/string_builder.h"
#include "profile/waker_stack.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Frames and stacks are numbered in the order in which they were interned, and never removed. So
// each call names only those with higher numbers than before (name_new()): first frames, then
// stacks. A stack is a node of a tree and refers to its parent, the caller, which has a lower
// number and is named already. name_stack() pushes the named frames of one place (several if calls
// were inlined) on the named stack of the parent.
//
// Before an address in a stripped interpreter is looked up, name_loop() gives the symbolizer the
// ranges of the eval loop. A C frame of the eval loop directly below an interpreted frame is left
// out (is_hidden()): the interpreted frame says the same, and better.
//
// A thread that woke another one is a frame on the stack of that one's wait (STACK_WAKER_MODULE),
// and brings its own named stack with it.

/** The named frames of a place: items [first, first + num) of the pool. Small, and with what is
 *  asked for at each stack, as there are many more stacks than places. */
struct named_place {
	uint32_t first;
	uint32_t num : 30;
	bool is_interpreted : 1; /* the innermost one, found in a process or in a recording */
	bool is_eval_loop : 1;   /* the only one */
};

enum { MAX_POOL = 1 << 30 };

/** One call: what is known before, and what it is about. */
struct naming {
	struct stack_naming *known;
	const struct named_places *places;
	struct symbolizer *symbolizer;
	struct named_profile *profile;
};

void stack_naming_deinit(struct stack_naming *naming)
{
	free(naming->named);
	free(naming->pool);
	free(naming->stacks);
	*naming = (struct stack_naming)STACK_NAMING_INIT;
}

static const char *const marker_names[STACK_NUM_MARKERS] = {
	[STACK_MARKER_TRUNCATED] = "[truncated stack]",
	[STACK_MARKER_WOKEN_BY_TIMER] = WAKER_STACK_DIVIDER "a timer]",
	[STACK_MARKER_WOKEN_BY_INTERRUPT] = WAKER_STACK_DIVIDER "an interrupt]",
};

static struct error *stack_naming_name_waker(struct named_profile *profile, uint64_t address,
					     uint32_t *ret)
{
	const struct named_thread *thread = &profile->threads[(uint32_t)address];
	const char *name = named_profile_text(profile, thread->name);
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	if (*name)
		string_builder_appendf(&text, WAKER_STACK_DIVIDER "%s]", name);
	else
		string_builder_appendf(&text, WAKER_STACK_DIVIDER "thread %" PRIu32 "]",
				       thread->tid);
	return text.failed ? &error_no_memory : named_profile_marker(profile, text.text, ret);
}

static struct error *add_to_pool(struct stack_naming *known, struct named_place *place,
				 const uint32_t *frames, size_t num_frames)
{
	struct error *err =
		array_reserve(&known->pool, &known->cap_pool, known->num_pool + num_frames);
	if (err)
		return err;
	if (known->num_pool + num_frames >= MAX_POOL)
		return error_create(ERROR_FAILED, "the recording has too many frames");
	*place = (struct named_place){.first = (uint32_t)known->num_pool,
				      .num = (uint32_t)num_frames};
	memcpy(&known->pool[known->num_pool], frames, num_frames * sizeof(*frames));
	known->num_pool += num_frames;
	return NULL;
}

/** Before a place of an interpreter without symbols is looked up. */
static struct error *name_loop(struct naming *naming, const struct frame *frame)
{
	const struct module *module = &naming->places->modules->items[frame->module];
	struct eval_loops *loops = naming->places->loops;
	const struct interpreter_ops *ops =
		module->kind == MODULE_FILE ? eval_loops_interpreter_named(module->path) : NULL;
	bool is_wanted = false;
	struct error *err = NULL;
	if (ops)
		err = symbolizer_lacks_name(naming->symbolizer, naming->profile, module,
					    frame->address, &is_wanted);
	uint32_t number;
	if (!err && is_wanted)
		err = eval_loops_add(loops, ops, module, &number);
	if (err || !is_wanted)
		return err;
	const struct eval_loop_ranges *ranges = eval_loops_ranges(loops, number);
	char name[EVAL_LOOPS_NAME_SIZE];
	eval_loops_make_name(module->path, name);
	return symbolizer_name_ranges(naming->symbolizer, naming->profile, module, name,
				      ranges->items, ranges->num_items);
}

/** What is no address of code. */
static struct error *stack_naming_name_other(struct naming *naming, const struct frame *frame,
					     uint32_t *ret)
{
	switch (frame->module) {
	case STACK_WAKER_MODULE:
		return stack_naming_name_waker(naming->profile, frame->address, ret);
	case STACK_INTERPRETED_MODULE:
		return code_places_name(naming->places->interpreted, frame->address,
					naming->profile, ret);
	default:
		return named_profile_marker(naming->profile, marker_names[frame->address], ret);
	}
}

static struct error *find_names(struct naming *naming, size_t number)
{
	const struct frame *frame = &naming->places->frames->items[number];
	struct named_place *place = &naming->known->named[number];
	if (frame->module >= STACK_WAKER_MODULE) {
		uint32_t named;
		struct error *err = stack_naming_name_other(naming, frame, &named);
		return err ? err : add_to_pool(naming->known, place, &named, 1);
	}
	const uint32_t *frames;
	size_t num_frames;
	struct error *err = name_loop(naming, frame);
	if (!err)
		err = symbolizer_resolve(naming->symbolizer, naming->profile,
					 &naming->places->modules->items[frame->module],
					 frame->address, &frames, &num_frames);
	return err ? err : add_to_pool(naming->known, place, frames, num_frames);
}

static struct error *name_frame(struct naming *naming, size_t number)
{
	struct error *err = find_names(naming, number);
	struct named_place *place = &naming->known->named[number];
	if (err || !place->num)
		return err;
	const struct named_profile *profile = naming->profile;
	uint32_t frame = naming->known->pool[place->first];
	const struct named_function *function =
		&profile->functions[profile->frames[frame].function];
	place->is_interpreted = function->kind == FRAME_INTERPRETED;
	place->is_eval_loop = place->num == 1 && !place->is_interpreted &&
			      eval_loops_is_name(named_profile_text(profile, function->name));
	return NULL;
}

/** An interpreted frame says it better. */
static bool is_hidden(const struct naming *naming, const struct stack_node *node,
		      const struct named_place *place)
{
	if (!place->is_eval_loop || node->parent == STACK_NONE)
		return false;
	const struct stack_node *parent = &naming->places->stacks->nodes[node->parent];
	return naming->known->named[parent->frame].is_interpreted;
}

/** Its stack is upside down, so that what woke is next to what waited. It is older than the one
 * that has it as a frame, and so has its names. */
static struct error *stack_naming_add_waker(struct naming *naming, uint32_t frame, uint32_t *stack)
{
	struct stack_table *stacks = &naming->profile->stacks;
	uint32_t waker = (uint32_t)(naming->places->frames->items[frame].address >> 32);
	if (waker != STACK_NONE)
		waker = waker_stack_trim(naming->profile, naming->known->stacks[waker]);
	struct error *err = NULL;
	while (!err && waker != STACK_NONE) {
		const struct stack_node node = stacks->nodes[waker];
		err = stack_table_push(stacks, *stack, node.frame, stack);
		waker = node.parent;
	}
	return err;
}

/** The innermost frame of a place stands first, and is pushed last. */
static struct error *name_stack(struct naming *naming, size_t number)
{
	const struct stack_node *node = &naming->places->stacks->nodes[number];
	const struct named_place *place = &naming->known->named[node->frame];
	uint32_t stack =
		node->parent == STACK_NONE ? STACK_NONE : naming->known->stacks[node->parent];
	struct error *err = NULL;
	size_t num = is_hidden(naming, node, place) ? 0 : place->num;
	for (size_t i = num; !err && i-- > 0;)
		err = stack_table_push(&naming->profile->stacks, stack,
				       naming->known->pool[place->first + i], &stack);
	if (!err && naming->places->frames->items[node->frame].module == STACK_WAKER_MODULE)
		err = stack_naming_add_waker(naming, node->frame, &stack);
	naming->known->stacks[number] = stack;
	return err;
}

/** Items that are reserved count once they are filled. */
static struct error *name_new(struct naming *naming)
{
	struct stack_naming *known = naming->known;
	size_t num_frames = naming->places->frames->num_items;
	size_t num_stacks = naming->places->stacks->num_nodes;
	struct error *err = array_reserve(&known->named, &known->cap_named, num_frames);
	if (!err)
		err = array_reserve(&known->stacks, &known->cap_stacks, num_stacks);
	if (!err)
		err = hash_table_reserve(&naming->profile->stacks.index, num_stacks);
	for (; !err && known->num_named < num_frames; known->num_named += !err)
		err = name_frame(naming, known->num_named);
	for (; !err && known->num_stacks < num_stacks; known->num_stacks += !err)
		err = name_stack(naming, known->num_stacks);
	return err;
}

struct error *stack_naming_add(struct stack_naming *naming, const struct named_places *places,
			       struct symbolizer *symbolizer, struct named_profile *profile)
{
	struct naming call = {naming, places, symbolizer, profile};
	return name_new(&call);
}

void stack_naming_apply(const struct stack_naming *naming, struct named_profile *profile)
{
	for (size_t i = 0; i < profile->num_samples; i++) {
		uint32_t *stack = &profile->samples[i].stack;
		if (*stack != STACK_NONE)
			*stack = naming->stacks[*stack];
	}
	wait_table_renumber(&profile->waits, naming->stacks);
	for (size_t i = 0; i < profile->waits.num_items; i++) {
		uint32_t *stack = &profile->waits.items[i].waker_stack;
		*stack = waker_stack_trim(profile, *stack);
	}
}
