// SPDX-License-Identifier: Apache-2.0

#include "profile/time_span.h"

#include "base/saturating_sum.h"

struct time_span time_span_of(const struct named_profile *profile)
{
	struct time_span span = {UINT64_MAX, 0};
	for (size_t i = 0; i < profile->num_samples; i++) {
		uint64_t time = profile->samples[i].time_ns;
		span.begin_ns = time < span.begin_ns ? time : span.begin_ns;
		span.end_ns = time > span.end_ns ? time : span.end_ns;
	}
	// There are no samples.
	if (span.begin_ns > span.end_ns)
		span.begin_ns = 0;
	// Samples without times are at 0: the start of the recording means nothing to them then.
	if (!profile->start_time_ns || span.end_ns < profile->start_time_ns)
		return span;
	if (profile->start_time_ns < span.begin_ns)
		span.begin_ns = profile->start_time_ns;
	uint64_t end = saturating_sum(profile->start_time_ns, profile->duration_ns);
	if (end > span.end_ns)
		span.end_ns = end;
	return span;
}
