// SPDX-License-Identifier: Apache-2.0

#include "fleet/store/sqlite/sqlite_cache.h"

#include "base/container/array.h"

#include <stdlib.h>

enum {
	SQLITE_CACHE_MAX_BYTES = 64 << 20, // of keys and what is beside them
	SQLITE_CACHE_ROW_BYTES = 48,       // beside a key, about
};

void sqlite_cache_clear(struct sqlite_cache *cache)
{
	string_table_deinit(&cache->keys);
	free(cache->numbers);
	*cache = (struct sqlite_cache)SQLITE_CACHE_INIT;
}

struct error *sqlite_cache_place(struct sqlite_cache *cache, const void *key, size_t size,
				 int64_t **ret)
{
	if (cache->num_bytes > SQLITE_CACHE_MAX_BYTES)
		sqlite_cache_clear(cache);
	size_t num_before = cache->keys.num_entries;
	uint32_t id;
	struct error *err = array_reserve(&cache->numbers, &cache->cap_numbers, num_before + 1);
	if (!err)
		err = string_table_intern_n(&cache->keys, key, size, &id);
	if (err)
		return err;
	if (cache->keys.num_entries > num_before) {
		cache->numbers[id] = 0;
		cache->num_bytes += size + SQLITE_CACHE_ROW_BYTES;
	}
	*ret = &cache->numbers[id];
	return NULL;
}
