/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_STACK_NAMING_H
#define WPERF_SESSION_STACK_NAMING_H

/** Stacks of places in modules become stacks of named frames, inlined calls among them. */

#include "process/module_table.h"
#include "profile/frame_table.h"
#include "profile/named_profile.h"
#include "symbols/symbolizer.h"

/** Frames of this module are no code; the address is the number of one of these. */
enum { STACK_MARKER_MODULE = UINT32_MAX };

enum stack_marker {
	STACK_MARKER_TRUNCATED, /* the callers are not known */
	STACK_NUM_MARKERS,
};

struct named_places {
	const struct module_table *modules;
	const struct frame_table *frames;
	const struct stack_table *stacks;
};

/**
 * Every stack of @places into profile->stacks, and every sample of the profile from the number of
 * its stack there to that of the named one. Each place is looked up once.
 */
struct error *stack_naming_apply(const struct named_places *places, struct symbolizer *symbolizer,
				 struct named_profile *profile);

#endif
