/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_SPE_BATCH_H
#define WPERF_SESSION_SPE_BATCH_H

/**
 * Samples of SPE that are summed up together, so that memory works on their look-ups side by side.
 * Into the profile go what SPE told, and the latencies as samples of an event of their own.
 */

#include "profile/named_profile.h"
#include "profile/spe_profile.h"
#include "record/record.h"
#include "session/sample_sums.h"

enum { SPE_BATCH_MAX = 32, SPE_BATCH_NONE = UINT8_MAX };

struct spe_batch {
	struct spe_sample samples[SPE_BATCH_MAX];
	struct named_sample named[SPE_BATCH_MAX]; /* the same as others know them */
	uint64_t hashes[SPE_BATCH_MAX];
	size_t num;
};

/** Room for one more must be there. @tells_threads: the sums are those of each thread. */
struct spe_sample *spe_batch_add(struct spe_batch *batch, const struct record *record,
				 const struct named_sample *named, bool tells_threads);

/** The stack of sample @number is known now. */
void spe_batch_set_stack(struct spe_batch *batch, size_t number, uint32_t stack);

/**
 * Sum all of them up; the batch is empty then, also after a failure.
 * @sums: of the profile's samples; NULL: each is kept.
 */
struct error *spe_batch_take(struct spe_batch *batch, struct named_profile *profile,
			     struct sample_sums *sums);

#endif
