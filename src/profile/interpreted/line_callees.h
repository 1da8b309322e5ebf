/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_INTERPRETED_LINE_CALLEES_H
#define WPERF_PROFILE_INTERPRETED_LINE_CALLEES_H

/** In which functions the lines of an interpreted file spend what they spend, for several events.
 */

#include "base/error.h"
#include "profile/named_profile.h"
#include "profile/profile_filter.h"

#include <stddef.h>
#include <stdint.h>

struct line_callee {
	uint32_t line;
	uint32_t function; /* where samples were taken; NAMED_NONE: in the line's own bytecode */
	const struct named_total *selves; /* of each event */
};

struct line_callees {
	struct line_callee *items; /* by line; of a line, the hottest first */
	size_t num_items;
	struct named_total *sums; /* private: what the items point into */
};

#define LINE_CALLEES_INIT \
	{                 \
	}

/**
 * A sample belongs to the innermost interpreted line on its stack.
 * @file: string of the profile. @filters: one for each event. @ret: set only on success.
 */
struct error *line_callees_create(const struct named_profile *profile, uint32_t file,
				  struct profile_filter *const *filters, size_t num_filters,
				  struct line_callees *ret);
void line_callees_deinit(struct line_callees *callees);

#endif
