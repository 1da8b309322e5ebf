/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_FEEDBACK_CONTEXTS_H
#define WPERF_PROFILE_FEEDBACK_CONTEXTS_H

/**
 * The functions of a module and the calls that were inlined into them, each once: the same function
 * that is inlined at two places is two contexts.
 */

#include "base/container/hash_table.h"
#include "profile/feedback_profile.h"

struct feedback_context {
	uint32_t parent; /* what it is inlined into, always a lower number; or FEEDBACK_NONE */
	uint32_t name;   /* string of the names */
	struct feedback_place place; /* of the call, in the parent */
	uint32_t depth, root;        /* the function around all */
	bool is_known;               /* there is something to say of it */
	uint64_t total, head;
};

enum { FEEDBACK_NONE = UINT32_MAX };

struct feedback_contexts {
	struct feedback_context *items;
	size_t num_items, cap_items;
	struct hash_table index;
	struct string_table names;
	uint32_t *of_stacks; /* the context of the leaf of each stack, or FEEDBACK_NONE */
};

/** To be ended with _deinit also after a failure. */
struct error *feedback_contexts_init(struct feedback_contexts *contexts,
				     const struct named_profile *profile, uint32_t module);
void feedback_contexts_deinit(struct feedback_contexts *contexts);

/** Where in its function a frame is. Its line is known. */
struct feedback_place feedback_place_of(const struct named_profile *profile,
					const struct named_frame *frame);

/** By line, then by piece: less than, equal to or greater than 0. */
int feedback_place_compare(struct feedback_place a, struct feedback_place b);

#endif
