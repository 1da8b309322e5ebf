/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_INTERPRETED_INTERPRETED_STACKS_H
#define WPERF_PROFILE_INTERPRETED_INTERPRETED_STACKS_H

/** Stacks seen as Python sees them: what native code did, the line did that called it. */

#include "profile/named_profile.h"

#include <stdbool.h>

/** Is there any Python in the profile? */
bool interpreted_stacks_are_there(const struct named_profile *profile);

/** The stack up to its innermost frame of Python; STACK_NONE if it has none. */
uint32_t interpreted_stacks_innermost(const struct named_profile *profile, uint32_t stack);

/** Every sample gets the frames of Python of its stack, or "[no Python]". */
struct error *interpreted_stacks_reduce(struct named_profile *profile);

/** The other way: what frames of Python stand side by side become one frame "[Python]". */
struct error *interpreted_stacks_hide(struct named_profile *profile);

#endif
