/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_SPE_SPE_PROFILE_H
#define WPERF_PROFILE_SPE_SPE_PROFILE_H

/** All that a profile knows by Arm's SPE: what happened where, branches' targets, lines of data. */

#include "profile/spe/cache_lines.h"
#include "profile/spe/spe_sums.h"
#include "profile/spe/spe_targets.h"

/** The event whose weights are the latencies, in cycles: of Arm's SPE, and of other processors. */
#define SPE_LATENCY_EVENT    "spe-latency"
#define MEMORY_LATENCY_EVENT "memory-latency"

struct spe_profile {
	struct spe_sums sums;
	struct spe_targets targets;
	struct cache_lines lines;
	uint32_t latency_event; /* of the profile: weights are cycles; UINT32_MAX: there is none */
};

struct error *spe_profile_create(struct spe_profile **ret);
void spe_profile_destroy(struct spe_profile *profile);

static inline void spe_profile_destroyp(struct spe_profile **profile)
{
	spe_profile_destroy(*profile);
}

/** Are the samples Arm's? Else another processor told of accesses to memory, and of nothing else.
 */
bool spe_profile_is_of_arm(const struct spe_profile *profile);

/** A sample, and where it was taken. */
struct spe_sample {
	struct spe_record record;
	struct spe_place place;
	uint32_t pid;
	uint32_t line_thread;  /* of the profile: who touched the line of data */
	uint32_t target_stack; /* of the profile; only of branches with a target */
	uint64_t hash;         /* private, as the next: of prefetching */
	size_t line_place;
};

/** Does it have a line of data, or a branch's target? */
bool spe_sample_has_data(const struct spe_sample *sample);
bool spe_sample_has_target(const struct spe_sample *sample);

/** What will be added soon; each call comes when the one before it had its time. */
void spe_profile_prefetch_index(const struct spe_profile *profile, struct spe_sample *sample);
void spe_profile_prefetch_items(const struct spe_profile *profile, struct spe_sample *sample);
void spe_profile_prefetch_counts(const struct spe_profile *profile,
				 const struct spe_sample *sample);

struct error *spe_profile_add(struct spe_profile *profile, const struct spe_sample *sample);

/** The profile's stacks have other numbers from now on: @stacks[old] is the new one. */
void spe_profile_renumber_stacks(struct spe_profile *profile, const uint32_t *stacks);

#endif
