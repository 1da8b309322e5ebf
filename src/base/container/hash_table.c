// SPDX-License-Identifier: Apache-2.0

#include "base/container/hash_table.h"

#include "base/byte_order.h"

// A slot has half of the hash and the index of the item, 8 bytes in all; the items are the
// caller's. The kept half serves twice: its top bits choose the slot, and comparing it avoids most
// calls of the callback. Growing needs only the kept half. The table is full at three quarters, so
// that linear probing finds a free slot soon. Multiplication by the golden ratio (Knuth, "The Art
// of Computer Programming" 6.4) spreads hashes that differ in few bits.

// The top half of the hash is kept: growing needs no help of the owner, and most probes of other
// keys end without asking it.
struct hash_table_slot {
	uint32_t hash;
	uint32_t index; /* HASH_TABLE_NONE: free */
};

enum { FIRST_NUM_SLOTS = 16 };
static const uint32_t max_num_slots = UINT32_C(1) << 31;

// Odd numbers without pattern: the first 64 binary digits behind the point of the golden ratio,
// and of pi.
static const uint64_t golden_ratio = UINT64_C(0x9e3779b97f4a7c15);
static const uint64_t pi_fraction = UINT64_C(0x243f6a8885a308d3);

// Both halves of the long product: a bit of any place changes bits of all places.
static uint64_t hash_table_mix(uint64_t hash, uint64_t factor)
{
	unsigned __int128 product = (unsigned __int128)hash * factor;
	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t hash_bytes(const void *bytes, size_t length)
{
	const unsigned char *byte = bytes;
	uint64_t hash = pi_fraction;
	size_t offset = 0;
	for (; length - offset >= 8; offset += 8)
		hash = hash_table_mix(hash ^ byte_order_load64(byte + offset, false), golden_ratio);
	uint64_t tail = 0;
	for (unsigned shift = 0; offset < length; offset++, shift += 8)
		tail |= (uint64_t)byte[offset] << shift;
	// Zeros at the end look like no bytes: the length tells them apart.
	return hash_table_mix(hash_table_mix(hash ^ tail, golden_ratio) + length, pi_fraction);
}

// The slot where the search for a hash begins: its top bits, so that even hashes that differ in
// few places spread.
static uint32_t first_slot(uint32_t hash, uint32_t num_slots)
{
	return (uint32_t)((uint64_t)hash * num_slots >> 32);
}

static uint32_t next_slot(uint32_t slot, uint32_t num_slots)
{
	return (slot + 1) & (num_slots - 1);
}

static uint32_t kept_hash(uint64_t hash)
{
	return (uint32_t)(hash * golden_ratio >> 32);
}

uint32_t hash_table_find(const struct hash_table *table, uint64_t hash, hash_table_equal_fn equal,
			 const void *owner, const void *key)
{
	if (!table->num_slots)
		return HASH_TABLE_NONE;
	uint32_t kept = kept_hash(hash);
	uint32_t i = first_slot(kept, table->num_slots);
	for (; table->slots[i].index != HASH_TABLE_NONE; i = next_slot(i, table->num_slots)) {
		const struct hash_table_slot *slot = &table->slots[i];
		if (slot->hash == kept && equal(owner, slot->index, key))
			return slot->index;
	}
	return HASH_TABLE_NONE;
}

static bool take_any(const void *owner, uint32_t index, const void *key)
{
	return true;
}

uint32_t hash_table_guess(const struct hash_table *table, uint64_t hash)
{
	return hash_table_find(table, hash, take_any, NULL, NULL);
}

void hash_table_prefetch(const struct hash_table *table, uint64_t hash)
{
	if (table->num_slots)
		__builtin_prefetch(&table->slots[first_slot(kept_hash(hash), table->num_slots)]);
}

static void hash_table_put(struct hash_table_slot *slots, uint32_t num_slots,
			   struct hash_table_slot item)
{
	uint32_t i = first_slot(item.hash, num_slots);
	while (slots[i].index != HASH_TABLE_NONE)
		i = next_slot(i, num_slots);
	slots[i] = item;
}

static struct error *hash_table_grow(struct hash_table *table)
{
	if (table->num_slots == max_num_slots)
		return error_create(ERROR_FAILED, "a table with %u items is full",
				    table->num_items);
	uint32_t num_slots = table->num_slots ? 2 * table->num_slots : FIRST_NUM_SLOTS;
	struct hash_table_slot *slots = calloc(num_slots, sizeof(*slots));
	if (!slots)
		return &error_no_memory;
	// An index of 0 is an item, so that calloc() does not mark slots as free.
	for (uint32_t i = 0; i < num_slots; i++)
		slots[i].index = HASH_TABLE_NONE;
	for (uint32_t i = 0; i < table->num_slots; i++) {
		if (table->slots[i].index != HASH_TABLE_NONE)
			hash_table_put(slots, num_slots, table->slots[i]);
	}
	free(table->slots);
	table->slots = slots;
	table->num_slots = num_slots;
	return NULL;
}

struct error *hash_table_insert(struct hash_table *table, uint64_t hash, uint32_t index)
{
	if (index == HASH_TABLE_NONE)
		return error_create(ERROR_FAILED, "a table has no place for item %u", index);
	// Also true of a table without slots.
	if (table->num_items >= table->num_slots / 4 * 3) {
		struct error *err = hash_table_grow(table);
		if (err)
			return err;
	}
	hash_table_put(table->slots, table->num_slots,
		       (struct hash_table_slot){kept_hash(hash), index});
	table->num_items++;
	return NULL;
}

void hash_table_deinit(struct hash_table *table)
{
	free(table->slots);
	*table = (struct hash_table)HASH_TABLE_INIT;
}
