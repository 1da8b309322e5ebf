/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_INTERPRETED_INTERPRETED_TASK_H
#define WPERF_PROFILE_INTERPRETED_INTERPRETED_TASK_H

/**
 * Tasks of interpreted programs in stacks: a task is a frame of the kind FRAME_INTERPRETED whose
 * file is this. It is outside of the frames that ran for it, and inside of the task that waits for
 * it. Recordings have it as any frame.
 */

#include "profile/named_profile.h"

#include <stdbool.h>

#define INTERPRETED_TASK_FILE "<task>"

bool interpreted_task_is(const struct named_profile *profile, uint32_t frame);

#endif
