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

enum {
	LIVE_TABLE_FILTER_BITS = 15,
	LIVE_TABLE_SLOT_BITS = 16,
	LIVE_TABLE_SLOTS = 1 << LIVE_TABLE_SLOT_BITS,
};

struct live_table_filter {
	_Atomic uint8_t counts[1 << LIVE_TABLE_FILTER_BITS];
	/** Else nothing was ever put into it: a block that is freed needs no look. */
	bool checks_frees;
};

/** What is known of a block that is in use. */
struct live_block {
	uint64_t id;            /* not 0 */
	uint64_t thread, drawn; /* see thread_state.h: when it was allocated */
	uint64_t size;
};

/** As wperf reads it from outside. */
struct live_table_slot {
	_Atomic uintptr_t address; /* see live_table_slot_block() */
	struct live_block live;
};

/** 0: none. Addresses are stored with all bits turned: whoever searches the memory of the process
 *  for pointers to its blocks (leaks/leak_search.h) does not find them here. */
static inline uintptr_t live_table_slot_block(const struct live_table_slot *slot)
{
	uintptr_t address = slot->address;
	return address > 1 ? ~address : 0;
}

extern struct live_table_filter live_table_filter __attribute__((visibility("hidden")));

/** By the golden ratio (Knuth, "The Art of Computer Programming" 6.4); the lowest bits of addresses
 *  of blocks are always 0. */
static inline uint32_t live_table_hash(const void *block)
{
	return (uint32_t)(((uint64_t)(uintptr_t)block >> 4) * 0x9e3779b97f4a7c15 >> 32);
}

static inline bool live_table_checks_frees(void)
{
	return __builtin_expect(live_table_filter.checks_frees, 0);
}

/** False: it is not there. */
static inline bool live_table_may_have(const void *block)
{
	return live_table_filter.counts[live_table_hash(block) >> (32 - LIVE_TABLE_FILTER_BITS)];
}

/** From now on the table may have it, always, though it was never added. */
void live_table_watch(const void *block);

/** False: there is no room. */
bool live_table_add(const void *block, const struct live_block *live);

/** Of LIVE_TABLE_SLOTS slots. */
uint64_t live_table_address(void);

/** False: it is not there. */
bool live_table_remove(const void *block, struct live_block *ret);

#endif
