/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_STORED_OWN_COST_H
#define WPERF_PROFILE_STORED_OWN_COST_H

/** Events in which an agent says what it costs. They are about no program: beside the samples of
 *  programs, each would be a column of zeros. */

#include "profile/named_profile.h"

#define OWN_COST_CPU    "agent-cpu"    /* nanoseconds in a window */
#define OWN_COST_MEMORY "agent-memory" /* bytes at its end */

/** They go with their samples, unless the profile has no other events. */
struct error *own_cost_leave_out(struct named_profile *profile);

#endif
