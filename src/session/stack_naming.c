// SPDX-License-Identifier: Apache-2.0

#include "session/stack_naming.h"

#include "base/array.h"
#include "base/cleanup.h"

#include <stdlib.h>
#include <string.h>

/** The named frames of a place: items [first, first + num) of the pool. */
struct named_place {
	size_t first, num;
};

struct naming {
	const struct named_places *places;
	struct symbolizer *symbolizer;
	struct named_profile *profile;
	struct named_place *named; /* by number of the frame */
	uint32_t *pool;
	size_t num_pool, cap_pool;
	uint32_t *stacks; /* by number of the stack: its named one */
};

static void naming_deinit(struct naming *naming)
{
	free(naming->named);
	free(naming->pool);
	free(naming->stacks);
}

static struct error *name_marker(struct named_profile *profile, enum stack_marker marker,
				 uint32_t *ret)
{
	static const char *const names[STACK_NUM_MARKERS] = {
		[STACK_MARKER_TRUNCATED] = "[truncated stack]",
	};
	struct named_function function = {.module = NAMED_NONE, .kind = FRAME_MARKER};
	struct named_frame frame = {0};
	struct error *err = named_profile_string(profile, names[marker], &function.name);
	if (!err)
		err = named_profile_function(profile, &function, &frame.function);
	return err ? err : named_profile_frame(profile, &frame, ret);
}

static struct error *add_to_pool(struct naming *naming, struct named_place *place,
				 const uint32_t *frames, size_t num_frames)
{
	struct error *err =
		array_reserve(&naming->pool, &naming->cap_pool, naming->num_pool + num_frames);
	if (err)
		return err;
	*place = (struct named_place){naming->num_pool, num_frames};
	memcpy(&naming->pool[naming->num_pool], frames, num_frames * sizeof(*frames));
	naming->num_pool += num_frames;
	return NULL;
}

static struct error *name_frame(struct naming *naming, size_t number)
{
	const struct frame *frame = &naming->places->frames->items[number];
	struct named_place *place = &naming->named[number];
	if (frame->module == STACK_MARKER_MODULE) {
		uint32_t marker;
		struct error *err =
			name_marker(naming->profile, (enum stack_marker)frame->address, &marker);
		return err ? err : add_to_pool(naming, place, &marker, 1);
	}
	const uint32_t *frames;
	size_t num_frames;
	struct error *err = symbolizer_resolve(naming->symbolizer, naming->profile,
					       &naming->places->modules->items[frame->module],
					       frame->address, &frames, &num_frames);
	return err ? err : add_to_pool(naming, place, frames, num_frames);
}

/** The innermost frame of a place stands first, and is pushed last. */
static struct error *name_stack(struct naming *naming, size_t number)
{
	const struct stack_node *node = &naming->places->stacks->nodes[number];
	const struct named_place *place = &naming->named[node->frame];
	uint32_t stack = node->parent == STACK_NONE ? STACK_NONE : naming->stacks[node->parent];
	struct error *err = NULL;
	for (size_t i = place->num; !err && i-- > 0;)
		err = stack_table_push(&naming->profile->stacks, stack,
				       naming->pool[place->first + i], &stack);
	naming->stacks[number] = stack;
	return err;
}

static void rename_samples(const struct naming *naming)
{
	struct named_profile *profile = naming->profile;
	for (size_t i = 0; i < profile->num_samples; i++) {
		uint32_t *stack = &profile->samples[i].stack;
		if (*stack != STACK_NONE)
			*stack = naming->stacks[*stack];
	}
}

struct error *stack_naming_apply(const struct named_places *places, struct symbolizer *symbolizer,
				 struct named_profile *profile)
{
	_cleanup_(naming_deinit) struct naming naming = {
		.places = places,
		.symbolizer = symbolizer,
		.profile = profile,
		.named = calloc(places->frames->num_items + 1, sizeof(*naming.named)),
		.stacks = calloc(places->stacks->num_nodes + 1, sizeof(*naming.stacks)),
	};
	if (!naming.named || !naming.stacks)
		return &error_no_memory;
	struct error *err = array_reserve(&naming.pool, &naming.cap_pool, 1);
	for (size_t i = 0; !err && i < places->frames->num_items; i++)
		err = name_frame(&naming, i);
	for (size_t i = 0; !err && i < places->stacks->num_nodes; i++)
		err = name_stack(&naming, i);
	if (!err)
		rename_samples(&naming);
	return err;
}
