/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_STORED_FRAME_REPLACEMENT_H
#define WPERF_PROFILE_STORED_FRAME_REPLACEMENT_H

/**
 * Other frames in place of some that a profile has: of a place whose name was not known, the
 * function and the calls that were inlined there.
 */

#include "profile/named_profile.h"

#include <stddef.h>
#include <stdint.h>

struct frame_replacement {
	const uint32_t *frames; /* of the same profile, innermost first */
	size_t num_frames;      /* 0: the frame stays */
};

/**
 * Samples keep their weights. Frames, functions and modules that no stack has any more are dropped,
 * so that all of these, and all stacks, have other numbers afterwards. Builds of one path become
 * one module (named_profile_build()), the first; frames of the others have no address any more.
 * After an error (there is no memory), the profile can only be ended.
 * @replacements: of the first @num frames; those behind them stay. They are not replaced again.
 */
struct error *frame_replacement_apply(struct named_profile *profile,
				      const struct frame_replacement *replacements, size_t num);

#endif
