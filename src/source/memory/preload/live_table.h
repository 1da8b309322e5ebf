/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_MEMORY_LIVE_TABLE_H
#define WPERF_SOURCE_MEMORY_LIVE_TABLE_H

/**
 * The addresses of sampled blocks that have not been freed. Each free() asks whether its block is
 * one of them: mostly a filter of 32 KiB says no, in a few nanoseconds.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { LIVE_TABLE_FILTER_BITS = 15 };

struct live_table_filter {
	bool is_used; /* else nothing is ever in it */
	_Atomic uint8_t counts[1 << LIVE_TABLE_FILTER_BITS];
};

/** What is known of a block that is in use. */
struct live_block {
	uint64_t id;            /* not 0 */
	uint64_t thread, drawn; /* see thread_state.h: when it was allocated */
};

extern struct live_table_filter live_table_filter __attribute__((visibility("hidden")));

/** By the golden ratio (Knuth, "The Art of Computer Programming" 6.4); the lowest bits of addresses
 *  of blocks are always 0. */
static inline uint32_t live_table_hash(const void *block)
{
	return (uint32_t)(((uint64_t)(uintptr_t)block >> 4) * 0x9e3779b97f4a7c15 >> 32);
}

/** False: it is not there. */
static inline bool live_table_may_have(const void *block)
{
	return __builtin_expect(live_table_filter.is_used, 0) &&
	       live_table_filter.counts[live_table_hash(block) >> (32 - LIVE_TABLE_FILTER_BITS)];
}

/** False: there is no room. */
bool live_table_add(const void *block, const struct live_block *live);

/** False: it is not there. */
bool live_table_remove(const void *block, struct live_block *ret);

#endif
