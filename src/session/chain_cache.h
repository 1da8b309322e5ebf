/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_CHAIN_CACHE_H
#define WPERF_SESSION_CHAIN_CACHE_H

/**
 * Most call chains were seen before: the stack of one is found by its words alone, without a look
 * at its frames.
 */

#include "base/error.h"
#include "base/hash_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chain_cache {
	struct hash_table index; /* of places in words */
	uint64_t *words;         /* of each chain: what it is, then its words */
	size_t num_words, cap_words;
};

#define CHAIN_CACHE_INIT \
	{                \
	}

uint64_t chain_cache_hash(const uint64_t *words, size_t num_words);

/** Chains that will be looked for soon; the second call comes when the first one had its time. */
void chain_cache_prefetch_index(const struct chain_cache *cache, uint64_t hash);
void chain_cache_prefetch_words(const struct chain_cache *cache, uint64_t hash, size_t num_words);

/** False: never seen. @ret_stack: as it was added. */
bool chain_cache_find(const struct chain_cache *cache, uint64_t hash, const uint64_t *words,
		      size_t num_words, uint32_t *ret_stack);

/** Remember one that was not found; the words are copied. */
struct error *chain_cache_add(struct chain_cache *cache, uint64_t hash, const uint64_t *words,
			      size_t num_words, uint32_t stack);

void chain_cache_deinit(struct chain_cache *cache);

#endif
