/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_TIME_SPAN_H
#define WPERF_PROFILE_TIME_SPAN_H

/** From when until when a profile was recorded, on the clock of its samples. */

#include "profile/named_profile.h"

#include <stdint.h>

struct time_span {
	uint64_t begin_ns, end_ns;
};

/** From the start of the recording to its end, and at least all times of samples. */
struct time_span time_span_of(const struct named_profile *profile);

/** How long after the start; 0 for what was before it. */
static inline uint64_t time_span_since_ns(struct time_span span, uint64_t time_ns)
{
	return time_ns > span.begin_ns ? time_ns - span.begin_ns : 0;
}

#endif
