/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_HOT_HOT_KEY_TABLE_H
#define WPERF_PROFILE_HOT_HOT_KEY_TABLE_H

/** Numbers for what items are told apart by: 0, 1, ... in the order in which they are met. */

#include "base/container/hash_table.h"
#include "base/error.h"
#include "profile/hot/hot_key.h"

struct hot_key_table {
	struct hash_table index;
	struct hot_key_value *keys;
	size_t num_keys, cap_keys;
};

/** The key's number; a new one is the number of keys that there were. */
struct error *hot_key_table_intern(struct hot_key_table *table, struct hot_key_value key,
				   uint32_t *ret);

void hot_key_table_deinit(struct hot_key_table *table);

#endif
