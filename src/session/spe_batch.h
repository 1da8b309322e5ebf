/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_SPE_BATCH_H
#define WPERF_SESSION_SPE_BATCH_H

/**
 * A batch of SPE samples that are summed up together, so that the cache misses of their look-ups
 * overlap. The profile gets the SPE statistics, and the latencies as samples of an own event.
 */

#include "profile/named_profile.h"
#include "profile/spe/spe_profile.h"
#include "record/record.h"
#include "session/sample_sums.h"

enum { SPE_BATCH_MAX = 32, SPE_BATCH_NONE = UINT8_MAX };

struct spe_batch {
	struct spe_sample samples[SPE_BATCH_MAX];
	struct named_sample named[SPE_BATCH_MAX]; /* the same, as general samples */
	uint64_t hashes[SPE_BATCH_MAX];
	size_t num;
};

/** The batch must have room for it. @tells_threads: statistics per thread. */
struct spe_sample *spe_batch_add(struct spe_batch *batch, const struct record *record,
				 const struct named_sample *named, bool tells_threads);

/** Set the stack of sample @number. */
void spe_batch_set_stack(struct spe_batch *batch, size_t number, uint32_t stack);

/**
 * Sum up the batch, which is empty then, also after a failure.
 * @sums: of the profile's samples; NULL: each sample is kept.
 */
struct error *spe_batch_take(struct spe_batch *batch, struct named_profile *profile,
			     struct sample_sums *sums);

#endif
