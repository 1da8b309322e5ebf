/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_CHAIN_CACHE_H
#define WPERF_SESSION_CHAIN_CACHE_H

/**
 * Most call chains were seen before: the stack of one is found by its words alone, without a look
 * at its frames.
 */

#include "base/arena.h"
#include "base/error.h"
#include "base/hash_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chain_cache_item;

struct chain_cache {
	struct arena arena;
	struct hash_table index;
	struct chain_cache_item *items;
	size_t num_items, cap_items;
};

#define CHAIN_CACHE_INIT \
	{                \
	}

uint64_t chain_cache_hash(const uint64_t *words, size_t num_words);

/** False: never seen. */
bool chain_cache_find(const struct chain_cache *cache, uint64_t hash, const uint64_t *words,
		      size_t num_words, uint32_t *ret_stack);

/** Remember one that was not found; the words are copied. */
struct error *chain_cache_add(struct chain_cache *cache, uint64_t hash, const uint64_t *words,
			      size_t num_words, uint32_t stack);

void chain_cache_deinit(struct chain_cache *cache);

#endif
