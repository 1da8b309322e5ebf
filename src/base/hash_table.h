/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_HASH_TABLE_H
#define WPERF_BASE_HASH_TABLE_H

/**
 * A hash index over an array that somebody else owns: it maps the hash of a key to the index
 * of an item and asks its user whether the item really has that key. Open addressing, linear
 * probing, no deletion. Holds at most 3 * 2^29 items; one more is an error.
 * Not made against people who choose keys that collide.
 */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Does item @index have the key? @owner and @key are what the caller of find handed in. */
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
 * Large tables are in no cache: who has many keys to look for tells all of them first, so that
 * memory works on them side by side. hash_table_guess() is then what hash_table_find() will ask
 * its user about first (HASH_TABLE_NONE: about nothing), so that the item can be fetched, too.
 */
void hash_table_prefetch(const struct hash_table *table, uint64_t hash);
uint32_t hash_table_guess(const struct hash_table *table, uint64_t hash);

/** Add an item that hash_table_find() did not find. */
struct error *hash_table_insert(struct hash_table *table, uint64_t hash, uint32_t index);

void hash_table_deinit(struct hash_table *table);

#endif
