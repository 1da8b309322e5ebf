// SPDX-License-Identifier: Apache-2.0

#include "profile/hot/hot_key_table.h"

#include "base/container/array.h"

#include <stdlib.h>
#include <string.h>

// Keys are interned: equal keys have one number, and numbers are given in the order in which keys
// come. Lists therefore use the number as the index of their row. A key is hashed and compared as
// bytes, which works because struct hot_key_value is two words without a gap.

static bool hot_key_table_has_key(const void *owner, uint32_t index, const void *key)
{
	const struct hot_key_table *table = owner;
	return memcmp(&table->keys[index], key, sizeof(table->keys[index])) == 0;
}

struct error *hot_key_table_intern(struct hot_key_table *table, struct hot_key_value key,
				   uint32_t *ret)
{
	uint64_t hash = hash_bytes(&key, sizeof(key));
	uint32_t index = hash_table_find(&table->index, hash, hot_key_table_has_key, table, &key);
	if (index != HASH_TABLE_NONE) {
		*ret = index;
		return NULL;
	}
	index = (uint32_t)table->num_keys;
	struct error *err = array_reserve(&table->keys, &table->cap_keys, table->num_keys + 1);
	if (!err)
		err = hash_table_insert(&table->index, hash, index);
	if (err)
		return err;
	table->keys[table->num_keys++] = key;
	*ret = index;
	return NULL;
}

void hot_key_table_deinit(struct hot_key_table *table)
{
	hash_table_deinit(&table->index);
	free(table->keys);
	*table = (struct hot_key_table){0};
}
