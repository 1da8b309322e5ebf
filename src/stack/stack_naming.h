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
	STACK_MARKER_TRUNCATED,          /* the callers are not known */
	STACK_MARKER_WOKEN_BY_TIMER,     /* what ended the wait of the callers */
	STACK_MARKER_WOKEN_BY_INTERRUPT, /* likewise */
	STACK_NUM_MARKERS,
};

/** A frame of this module is a thread that ended the wait of its callers: see
 *  stack_finder_add_waker(). The address is that of stack_waker_address(). */
enum { STACK_WAKER_MODULE = UINT32_MAX - 2 };

/** @thread: of the profile. @stack: STACK_NONE: not known. */
static inline uint64_t stack_waker_address(uint32_t thread, uint32_t stack)
{
	return (uint64_t)stack << 32 | thread;
}

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

/** Replace the stacks of the profile's samples and waits, which are those of the places, by the
 *  named ones. */
void stack_naming_apply(const struct stack_naming *naming, struct named_profile *profile);
void stack_naming_deinit(struct stack_naming *naming);

#endif
