/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_SCHEDULER_FRAME_H
#define WPERF_PROFILE_SCHEDULER_FRAME_H

/**
 * Functions of Linux' scheduler: every thread that waits is in one of them. Their caller says what
 * it waits for.
 */

#include "profile/named_profile.h"

bool scheduler_frame_is(const struct named_profile *profile, uint32_t frame);

#endif
