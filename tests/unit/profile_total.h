/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_PROFILE_TOTAL_H
#define WPERF_TESTS_PROFILE_TOTAL_H

#include "profile/named_profile.h"

/** The sums over all samples of one event (NAMED_NONE: of all), which other sums must agree with.
 */
static inline struct named_total profile_total(const struct named_profile *profile, uint32_t event)
{
	struct named_total total = {0};
	for (size_t i = 0; i < profile->num_samples; i++) {
		const struct named_sample *sample = &profile->samples[i];
		if (event != NAMED_NONE && sample->event != event)
			continue;
		total.count += sample->count;
		total.weight += sample->weight;
	}
	return total;
}

#endif
