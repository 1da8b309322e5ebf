/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_INTERPRETED_INTERPRETED_STACKS_H
#define WPERF_PROFILE_INTERPRETED_INTERPRETED_STACKS_H

/** Stacks as their interpreter sees them: what native code spent, the line spent that called it. */

#include "profile/named_profile.h"

#include <stdbool.h>

/** Is there any interpreted code in the profile? */
bool interpreted_stacks_are_there(const struct named_profile *profile);

/** The stack up to its innermost interpreted frame; STACK_NONE if it has none. */
uint32_t interpreted_stacks_innermost(const struct named_profile *profile, uint32_t stack);

/** Every sample keeps the interpreted frames of its stack, or gets "[no Python]". */
struct error *interpreted_stacks_reduce(struct named_profile *profile);

/** The other way: adjacent interpreted frames become one frame "[Python]". */
struct error *interpreted_stacks_hide(struct named_profile *profile);

#endif
