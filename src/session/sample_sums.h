/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_SAMPLE_SUMS_H
#define WPERF_SESSION_SAMPLE_SUMS_H

/** The samples of a profile; those that are equal in all but the time are one. */

#include "base/error.h"
#include "base/hash_table.h"
#include "profile/named_profile.h"

struct sample_sums {
	struct hash_table index; /* of profile->samples */
};

#define SAMPLE_SUMS_INIT \
	{                \
	}

uint64_t sample_sums_hash(const struct named_sample *sample);

/** What will be added soon; the second call comes when the first one had its time. */
void sample_sums_prefetch_index(const struct sample_sums *sums, uint64_t hash);
void sample_sums_prefetch_sample(const struct sample_sums *sums,
				 const struct named_profile *profile, uint64_t hash);

/** To the one that is equal, if there is one. */
struct error *sample_sums_add(struct sample_sums *sums, struct named_profile *profile,
			      uint64_t hash, const struct named_sample *sample);

void sample_sums_deinit(struct sample_sums *sums);

#endif
