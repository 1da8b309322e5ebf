// SPDX-License-Identifier: Apache-2.0

#include "source/memory/preload/live_table.h"

// A hash table without locks: a block is in one of the slots behind the one of its hash. A thread
// takes a slot by its address, which is REMOVED or 0 before, and nobody else knows the address
// then: the block has not been given to the program yet. It is removed by who frees it, before it
// is freed. So each address is in the table once, and only one thread changes its slot.
//
// The filter counts the blocks with the same hash. A count that reached its maximum stays there.

enum { PROBES = 64, MOST_COUNT = 255 };

static const uintptr_t removed = 1;

struct live_table_filter live_table_filter;

static struct live_table_slot live_table[LIVE_TABLE_SLOTS];

static struct live_table_slot *live_table_slot(uint32_t hash, unsigned probe)
{
	return &live_table[((hash >> (32 - LIVE_TABLE_SLOT_BITS)) + probe) % LIVE_TABLE_SLOTS];
}

static void live_table_count(uint32_t hash, int change)
{
	_Atomic uint8_t *count = &live_table_filter.counts[hash >> (32 - LIVE_TABLE_FILTER_BITS)];
	uint8_t old = *count;
	while (old != MOST_COUNT &&
	       !atomic_compare_exchange_weak(count, &old, (uint8_t)(old + change)))
		;
}

void live_table_watch(const void *block)
{
	live_table_filter.counts[live_table_hash(block) >> (32 - LIVE_TABLE_FILTER_BITS)] =
		MOST_COUNT;
	live_table_filter.checks_frees = true;
}

uint64_t live_table_address(void)
{
	return (uint64_t)(uintptr_t)live_table;
}

bool live_table_add(const void *block, const struct live_block *live)
{
	uint32_t hash = live_table_hash(block);
	for (unsigned probe = 0; probe < PROBES; probe++) {
		struct live_table_slot *slot = live_table_slot(hash, probe);
		uintptr_t old = slot->address;
		if (old > removed ||
		    !atomic_compare_exchange_strong(&slot->address, &old, ~(uintptr_t)block))
			continue;
		slot->live = *live;
		live_table_filter.checks_frees = true;
		live_table_count(hash, 1);
		return true;
	}
	return false;
}

bool live_table_remove(const void *block, struct live_block *ret)
{
	uint32_t hash = live_table_hash(block);
	for (unsigned probe = 0; probe < PROBES; probe++) {
		struct live_table_slot *slot = live_table_slot(hash, probe);
		uintptr_t address = slot->address;
		if (!address)
			return false;
		if (address != ~(uintptr_t)block)
			continue;
		*ret = slot->live;
		slot->address = removed;
		live_table_count(hash, -1);
		return true;
	}
	return false;
}
