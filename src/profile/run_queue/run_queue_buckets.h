/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
#ifndef WPERF_PROFILE_RUN_QUEUE_BUCKETS_H
#define WPERF_PROFILE_RUN_QUEUE_BUCKETS_H

/**
 * The buckets of waits in a run queue, in nanoseconds: one below 1024 ns, then 8 for each doubling,
 * and one for all from 2^37 ns (137 s) on. The program in the kernel counts in them (no division,
 * no loop), so that a percentile is off by at most 1/16 of itself.
 */

#include <stdint.h>

enum {
	RUN_QUEUE_FIRST_BIT = 10, /* waits below 2^10 ns are in bucket 0 */
	RUN_QUEUE_LAST_BIT = 37,
	RUN_QUEUE_PART_BITS = 3,
	RUN_QUEUE_PARTS = 1 << RUN_QUEUE_PART_BITS,
	RUN_QUEUE_LAST_BUCKET = 1 + (RUN_QUEUE_LAST_BIT - RUN_QUEUE_FIRST_BIT) * RUN_QUEUE_PARTS,
	RUN_QUEUE_BUCKETS = RUN_QUEUE_LAST_BUCKET + 1,
};

static inline __attribute__((always_inline)) uint32_t run_queue_bucket(uint64_t ns)
{
	uint32_t bit = 0;
	uint64_t rest = ns;
	if (ns >> RUN_QUEUE_FIRST_BIT == 0)
		return 0;
	if (ns >> RUN_QUEUE_LAST_BIT)
		return RUN_QUEUE_LAST_BUCKET;
	/* The number of the highest bit; BPF has no instruction for it. */
	for (uint32_t step = 32; step; step /= 2)
		if (rest >> step) {
			rest >>= step;
			bit += step;
		}
	return 1 + ((bit - RUN_QUEUE_FIRST_BIT) << RUN_QUEUE_PART_BITS) +
	       ((uint32_t)(ns >> (bit - RUN_QUEUE_PART_BITS)) & (RUN_QUEUE_PARTS - 1));
}

/** The least wait of a bucket. */
static inline uint64_t run_queue_bucket_low(uint32_t bucket)
{
	if (bucket == 0)
		return 0;
	uint32_t doubling = (bucket - 1) / RUN_QUEUE_PARTS, part = (bucket - 1) % RUN_QUEUE_PARTS;
	return (uint64_t)(RUN_QUEUE_PARTS + part)
	       << (doubling + RUN_QUEUE_FIRST_BIT - RUN_QUEUE_PART_BITS);
}

#endif
