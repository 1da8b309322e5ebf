/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_SAMPLE_SUMS_H
#define WPERF_SESSION_SAMPLE_SUMS_H

/** Sums up the samples of a profile that are equal in all but the time. */

#include "base/container/hash_table.h"
#include "base/error.h"
#include "profile/named_profile.h"

struct sample_sums {
	struct hash_table index; /* of profile->samples */
};

#define SAMPLE_SUMS_INIT \
	{                \
	}

uint64_t sample_sums_hash(const struct named_sample *sample);

/** Prefetch for an add soon: first the index; some time later the sample. */
void sample_sums_prefetch_index(const struct sample_sums *sums, uint64_t hash);
void sample_sums_prefetch_sample(const struct sample_sums *sums,
				 const struct named_profile *profile, uint64_t hash);

/** Add to the equal sample, or as a new one. */
struct error *sample_sums_add(struct sample_sums *sums, struct named_profile *profile,
			      uint64_t hash, const struct named_sample *sample);

void sample_sums_deinit(struct sample_sums *sums);

#endif
