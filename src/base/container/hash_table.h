/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_CONTAINER_HASH_TABLE_H
#define WPERF_BASE_CONTAINER_HASH_TABLE_H

/**
 * A hash index over an array that the caller owns: it maps the hash of a key to the index of an
 * item, and calls back to compare the key. Open addressing, linear probing, no deletion. Holds at
 * most 3 * 2^29 items; one more is an error. Not hardened against keys that are chosen to collide.
 */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Does item @index have the key? @owner and @key: arguments of hash_table_find(). */
typedef bool (*hash_table_equal_fn)(const void *owner, uint32_t index, const void *key);

struct hash_table_slot; /* private */

struct hash_table {
	struct hash_table_slot *slots;
	uint32_t num_slots; /* power of two, or 0 */
	uint32_t num_items;
};

#define HASH_TABLE_INIT \
	{               \
	}

enum { HASH_TABLE_NONE = UINT32_MAX };

/** 64-bit hash of bytes; the same on every machine. */
uint64_t hash_bytes(const void *bytes, size_t length);

/** Index of the item with this key, or HASH_TABLE_NONE. */
uint32_t hash_table_find(const struct hash_table *table, uint64_t hash, hash_table_equal_fn equal,
			 const void *owner, const void *key);

/**
 * For lookups of many keys in a table that is too large for the caches: prefetch all of them first,
 * so that their cache misses overlap. hash_table_guess() then returns the item that
 * hash_table_find() will compare first (HASH_TABLE_NONE: none), so that it can be prefetched, too.
 */
void hash_table_prefetch(const struct hash_table *table, uint64_t hash);
uint32_t hash_table_guess(const struct hash_table *table, uint64_t hash);

/** Add an item that hash_table_find() did not find. */
struct error *hash_table_insert(struct hash_table *table, uint64_t hash, uint32_t index);

void hash_table_deinit(struct hash_table *table);

#endif
