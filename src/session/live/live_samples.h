/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_LIVE_SAMPLES_H
#define WPERF_SESSION_LIVE_SAMPLES_H

/**
 * Samples of memory that count by a rule: if it was in use at one moment (at the end, or when most
 * was in use, the peak), or if what becomes of it says so (it is freed at once, or lost). Each is
 * kept until it is certain that it does not count.
 */

#include "base/container/hash_table.h"
#include "base/error.h"
#include "profile/named_profile.h"
#include "record/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum live_state {
	LIVE_IN_USE,
	LIVE_UNTIL_PEAK, /* it was freed, but was in use at the peak so far */
	LIVE_COUNTED,    /* it counts, whatever comes */
	LIVE_AWAITED,    /* likewise, but its sample has not come yet */
	LIVE_FREED,
};

/** What a recording needs of it, besides what the profile needs. */
struct live_sample {
	uint64_t block; /* unique: record_sample.block */
	uint32_t pid, tid;
	uint64_t ip;
	const uint64_t *words; /* its chain, as profile_builder_chain has it */
	size_t num_words;
	bool is_interpreted;
	struct named_sample sample; /* with its stack */
	/* private */
	enum live_state state;
	uint64_t order; /* of the samples, from 1 on */
};

struct live_samples {
	enum record_block_rule rule; /* set by the caller before the first sample */
	struct live_sample *items;
	size_t num_items, cap_items, num_freed;
	/* private */
	uint64_t last_order, peak_order;
	uint64_t weight, peak_weight;
	uint32_t *until_peak; /* indices of those that are LIVE_UNTIL_PEAK */
	size_t num_until_peak, cap_until_peak;
	struct hash_table index;
};

#define LIVE_SAMPLES_INIT \
	{                 \
	}

void live_samples_deinit(struct live_samples *live);

/** @sample: its words are copied. A block that was freed before it came is not kept. */
struct error *live_samples_add(struct live_samples *live, const struct live_sample *sample);

/** A block was freed; its sample may come later. @counts: by a rule that asks for it. */
struct error *live_samples_free(struct live_samples *live, uint64_t block, bool counts);

/** What is in use now counts, and what was in use at the last call no longer does. Of
 *  RECORD_BLOCK_AT_MOMENT. */
void live_samples_mark_moment(struct live_samples *live);

/** The memory of a process is gone: it has become another program. */
struct error *live_samples_drop(struct live_samples *live, uint32_t pid);

/** The next one that counts, from @index on, which moves behind it; NULL: there are no more. */
const struct live_sample *live_samples_next(const struct live_samples *live, size_t *index);

#endif
