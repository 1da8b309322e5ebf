/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_STACK_CHAIN_CACHE_H
#define WPERF_STACK_CHAIN_CACHE_H

/**
 * Maps call chains to their stacks. Most chains of a recording have occurred before, and need no
 * look-up of their frames.
 */

#include "base/container/hash_table.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chain_cache {
	struct hash_table index; /* of positions in words */
	uint64_t *words;         /* of each chain: its length and stack, then its words */
	size_t num_words, cap_words;
};

#define CHAIN_CACHE_INIT \
	{                \
	}

uint64_t chain_cache_hash(const uint64_t *words, size_t num_words);

/** Prefetch for a look-up soon: first the index; some time later the words, by then in reach. */
void chain_cache_prefetch_index(const struct chain_cache *cache, uint64_t hash);
void chain_cache_prefetch_words(const struct chain_cache *cache, uint64_t hash, size_t num_words);

/** False: it was not added before. */
bool chain_cache_find(const struct chain_cache *cache, uint64_t hash, const uint64_t *words,
		      size_t num_words, uint32_t *ret_stack);

/** Add a chain that was not found; the words are copied. */
struct error *chain_cache_add(struct chain_cache *cache, uint64_t hash, const uint64_t *words,
			      size_t num_words, uint32_t stack);

void chain_cache_deinit(struct chain_cache *cache);

#endif
