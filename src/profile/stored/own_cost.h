/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_STORED_OWN_COST_H
#define WPERF_PROFILE_STORED_OWN_COST_H

/** Events that record the cost of an agent itself. In a table of programs they would be columns of
 *  zeros, so reports leave them out unless they are asked for. */

#include "profile/named_profile.h"

#define OWN_COST_CPU    "agent-cpu"    /* nanoseconds in a window */
#define OWN_COST_MEMORY "agent-memory" /* bytes at its end */

/** Remove these events and their samples, unless the profile has no others. */
struct error *own_cost_leave_out(struct named_profile *profile);

#endif
