// SPDX-License-Identifier: Apache-2.0

#include "base/container/hash_table.h"

// A slot has half of the hash and the index of the item, 8 bytes in all; the items are the
// caller's. The kept half serves twice: its top bits choose the slot, and comparing it avoids most
// calls of the callback. Growing needs only the kept half. The table is full at three quarters, so
// that linear probing finds a free slot soon. What looks keys up is in the header, so that
// compilers put the caller's comparison into the loop: a report looks up several keys for each
// sample.

enum { FIRST_NUM_SLOTS = 16 };
static const uint32_t max_num_slots = UINT32_C(1) << 31;

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
		__builtin_prefetch(&table->slots[hash_table_first_slot(hash_table_kept(hash),
								       table->num_slots)]);
}

static void hash_table_put(struct hash_table_slot *slots, uint32_t num_slots,
			   struct hash_table_slot item)
{
	uint32_t i = hash_table_first_slot(item.hash, num_slots);
	while (slots[i].index != HASH_TABLE_NONE)
		i = hash_table_next_slot(i, num_slots);
	slots[i] = item;
}

static struct error *hash_table_grow(struct hash_table *table, uint32_t num_slots)
{
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

static uint32_t hash_table_room(uint32_t num_slots)
{
	return num_slots / 4 * 3;
}

struct error *hash_table_reserve(struct hash_table *table, size_t num_items)
{
	uint32_t num_slots = table->num_slots ? table->num_slots : FIRST_NUM_SLOTS;
	while (hash_table_room(num_slots) < num_items) {
		if (num_slots == max_num_slots)
			return error_create(ERROR_FAILED, "a table with %u items is full",
					    table->num_items);
		num_slots *= 2;
	}
	return num_slots == table->num_slots ? NULL : hash_table_grow(table, num_slots);
}

struct error *hash_table_insert(struct hash_table *table, uint64_t hash, uint32_t index)
{
	if (index == HASH_TABLE_NONE)
		return error_create(ERROR_FAILED, "a table has no place for item %u", index);
	// Also true of a table without slots.
	if (table->num_items >= hash_table_room(table->num_slots)) {
		struct error *err = hash_table_reserve(table, (size_t)table->num_items + 1);
		if (err)
			return err;
	}
	hash_table_put(table->slots, table->num_slots,
		       (struct hash_table_slot){hash_table_kept(hash), index});
	table->num_items++;
	return NULL;
}

void hash_table_deinit(struct hash_table *table)
{
	free(table->slots);
	*table = (struct hash_table)HASH_TABLE_INIT;
}
