/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_INTERPRETED_INTERPRETED_RAISE_H
#define WPERF_PROFILE_INTERPRETED_INTERPRETED_RAISE_H

/**
 * Exceptions of interpreted programs in stacks: an exception is a frame of the kind
 * FRAME_INTERPRETED whose function is called "raise ValueError", and stands inside of the frame
 * that raised it, at the same line. No function has a blank in its name. Recordings have it as any
 * frame.
 */

#include "profile/named_profile.h"

#include <stdbool.h>

#define INTERPRETED_RAISE_PREFIX "raise "

bool interpreted_raise_is(const struct named_profile *profile, uint32_t frame);

/** "ValueError" of the function of such a frame. */
const char *interpreted_raise_type(const struct named_profile *profile, uint32_t function);

#endif
