/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_SQLITE_SQLITE_CACHE_H
#define WPERF_FLEET_STORE_SQLITE_SQLITE_CACHE_H

/**
 * Numbers of rows that were found or added before, by what they are of: names and stacks of one
 * batch are mostly those of the batches before. Rows are never changed, so that a number stays
 * right until its transaction fails. Of limited size: a full cache begins anew.
 */

#include "base/container/string_table.h"

#include <stdint.h>

struct sqlite_cache {
	struct string_table keys;
	int64_t *numbers; /* by the ids of keys */
	size_t cap_numbers, num_bytes;
};

#define SQLITE_CACHE_INIT \
	{                 \
	}

/** @ret: its place in numbers[], where a 0 is for the caller to replace; valid until the next call.
 *  After an error before that, the cache is to be cleared. */
struct error *sqlite_cache_place(struct sqlite_cache *cache, const void *key, size_t size,
				 int64_t **ret);
void sqlite_cache_clear(struct sqlite_cache *cache);

#endif
