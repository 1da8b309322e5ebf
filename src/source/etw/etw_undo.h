/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_ETW_ETW_UNDO_H
#define WPERF_SOURCE_ETW_ETW_UNDO_H

/** Settings of the machine as they were before a session changed them. */

#include "source/etw/etw_calls.h"

enum { ETW_UNDO_MAX = 64 }; /* sources */

struct etw_undo {
	struct etw_interval intervals[ETW_UNDO_MAX];
	size_t num_intervals;
	uint32_t sampled[ETW_UNDO_MAX]; /* the sources that sampled: ETW_CLASS_SOURCE_CONFIG */
	size_t num_sampled;             /* 0: not known, or none */
};

/** False: there is no more room. */
bool etw_undo_add_interval(struct etw_undo *undo, struct etw_interval old);

/** Set all of it back; what was set back is forgotten, the first error is returned. */
struct error *etw_undo_apply(const struct etw_calls *calls, struct etw_undo *undo);

static inline bool etw_undo_is_empty(const struct etw_undo *undo)
{
	return !undo->num_intervals && !undo->num_sampled;
}

#endif
