/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_STACK_STACK_NAMING_H
#define WPERF_STACK_STACK_NAMING_H

/** Turns stacks of places into stacks of named frames, with inlined calls. */

#include "interpreter/code_places.h"
#include "interpreter/eval_loops.h"
#include "process/module_table.h"
#include "profile/named_profile.h"
#include "profile/tree/frame_table.h"
#include "symbols/symbolizer.h"

#include <stddef.h>
#include <stdint.h>

struct named_place; /* private */

/** Frames of this module are not code: the address is an enum stack_marker. */
enum { STACK_MARKER_MODULE = UINT32_MAX };

/** Frames of this module are interpreted code: the address is the number of the place. */
enum { STACK_INTERPRETED_MODULE = UINT32_MAX - 1 };

enum stack_marker {
	STACK_MARKER_TRUNCATED, /* the callers are not known */
	STACK_NUM_MARKERS,
};

struct named_places {
	const struct module_table *modules;
	const struct frame_table *frames;
	const struct stack_table *stacks;
	const struct code_places *interpreted; /* NULL: there are none */
	struct eval_loops *loops;
};

/** What is named already; places and stacks are added to a recording, but never removed. */
struct stack_naming {
	struct named_place *named; /* by number of the frame */
	size_t num_named, cap_named;
	uint32_t *pool;
	size_t num_pool, cap_pool;
	uint32_t *stacks; /* by number of the stack: its named one */
	size_t num_stacks, cap_stacks;
};

#define STACK_NAMING_INIT \
	{                 \
	}

/**
 * Add the named stacks of all stacks that are new since the last call to profile->stacks. Each
 * place is looked up once. @profile: the same in each call.
 */
struct error *stack_naming_add(struct stack_naming *naming, const struct named_places *places,
			       struct symbolizer *symbolizer, struct named_profile *profile);

/** Replace the stacks of the profile's samples, which are those of the places, by the named ones.
 */
void stack_naming_apply(const struct stack_naming *naming, struct named_profile *profile);
void stack_naming_deinit(struct stack_naming *naming);

#endif
