/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_CONTAINER_HASH_TABLE_H
#define WPERF_BASE_CONTAINER_HASH_TABLE_H

/**
 * A hash index over an array that the caller owns: it maps the hash of a key to the index of an
 * item, and calls back to compare the key. Open addressing, linear probing, no deletion. Holds at
 * most 3 * 2^29 items; one more is an error. Not hardened against keys that are chosen to collide.
 */

#include "base/container/hash_bytes.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Does item @index have the key? @owner and @key: arguments of hash_table_find(). */
typedef bool (*hash_table_equal_fn)(const void *owner, uint32_t index, const void *key);

/** Private. The top half of the hash is kept: growing needs no help of the owner, and most probes
 * of other keys end without asking it. */
struct hash_table_slot {
	uint32_t hash;
	uint32_t index; /* HASH_TABLE_NONE: free */
};

struct hash_table {
	struct hash_table_slot *slots;
	uint32_t num_slots; /* power of two, or 0 */
	uint32_t num_items;
};

#define HASH_TABLE_INIT \
	{               \
	}

enum { HASH_TABLE_NONE = UINT32_MAX };

/** The part of a hash that a slot keeps. Multiplication by the golden ratio (Knuth, "The Art of
 *  Computer Programming" 6.4) spreads hashes that differ in few bits. */
static inline uint32_t hash_table_kept(uint64_t hash)
{
	return (uint32_t)(hash * HASH_GOLDEN_RATIO >> 32);
}

/** Where the search for it begins: by its top bits, so that even hashes that differ in few places
 *  spread. */
static inline uint32_t hash_table_first_slot(uint32_t kept, uint32_t num_slots)
{
	return (uint32_t)((uint64_t)kept * num_slots >> 32);
}

static inline uint32_t hash_table_next_slot(uint32_t slot, uint32_t num_slots)
{
	return (slot + 1) & (num_slots - 1);
}

/** Index of the item with this key, or HASH_TABLE_NONE. */
static inline uint32_t hash_table_find(const struct hash_table *table, uint64_t hash,
				       hash_table_equal_fn equal, const void *owner,
				       const void *key)
{
	if (!table->num_slots)
		return HASH_TABLE_NONE;
	uint32_t kept = hash_table_kept(hash);
	uint32_t i = hash_table_first_slot(kept, table->num_slots);
	for (; table->slots[i].index != HASH_TABLE_NONE;
	     i = hash_table_next_slot(i, table->num_slots)) {
		const struct hash_table_slot *slot = &table->slots[i];
		if (slot->hash == kept && equal(owner, slot->index, key))
			return slot->index;
	}
	return HASH_TABLE_NONE;
}

/**
 * For lookups of many keys in a table that is too large for the caches: prefetch all of them first,
 * so that their cache misses overlap. hash_table_guess() then returns the item that
 * hash_table_find() will compare first (HASH_TABLE_NONE: none), so that it can be prefetched, too.
 */
void hash_table_prefetch(const struct hash_table *table, uint64_t hash);
uint32_t hash_table_guess(const struct hash_table *table, uint64_t hash);

/** Make room for so many items in all: a table that is to become large does not grow step by step.
 */
struct error *hash_table_reserve(struct hash_table *table, size_t num_items);

/** Add an item that hash_table_find() did not find. */
struct error *hash_table_insert(struct hash_table *table, uint64_t hash, uint32_t index);

void hash_table_deinit(struct hash_table *table);

#endif
