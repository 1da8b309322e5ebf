// SPDX-License-Identifier: Apache-2.0

#include "stack/chain_cache.h"

#include "base/container/array.h"

#include <stdlib.h>
#include <string.h>

// All chains are in one array of words, one behind the other: a head with length and stack, then
// the words of the chain. The hash table has only positions. That keeps a chain in consecutive
// cache lines, and needs no allocation for each. A look-up is three steps, so that the caller can
// interleave many: prefetch the index, prefetch the words at the guessed position, compare. The
// cache only grows; when the positions no longer fit 32 bits, new chains are not remembered.

enum { WORDS_OF_CACHE_LINE = 8 };

// The word in front of a chain.
struct chain_head {
	uint32_t num_words;
	uint32_t stack;
};

_Static_assert(sizeof(struct chain_head) == sizeof(uint64_t), "it is one word");

struct wanted_chain {
	const uint64_t *words;
	size_t num_words;
};

// The factor is 2^64 divided by the golden ratio: it spreads words that differ little, as addresses
// do. The shift brings them down to the low bits.
static uint64_t chain_cache_mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ (hash >> 29);
}

// Two hashes side by side, as a processor waits for the end of each multiplication.
uint64_t chain_cache_hash(const uint64_t *words, size_t num_words)
{
	uint64_t even = num_words, odd = 0;
	size_t i = 0;
	for (; i + 1 < num_words; i += 2) {
		even = chain_cache_mix(even, words[i]);
		odd = chain_cache_mix(odd, words[i + 1]);
	}
	if (i < num_words)
		even = chain_cache_mix(even, words[i]);
	return chain_cache_mix(even, odd);
}

static struct chain_head head_at(const struct chain_cache *cache, uint32_t place)
{
	struct chain_head head;
	memcpy(&head, &cache->words[place], sizeof(head));
	return head;
}

static bool is_chain(const void *owner, uint32_t index, const void *key)
{
	const struct chain_cache *cache = owner;
	const struct wanted_chain *wanted = key;
	return head_at(cache, index).num_words == wanted->num_words &&
	       !memcmp(&cache->words[index + 1], wanted->words,
		       wanted->num_words * sizeof(*wanted->words));
}

void chain_cache_prefetch_index(const struct chain_cache *cache, uint64_t hash)
{
	hash_table_prefetch(&cache->index, hash);
}

void chain_cache_prefetch_words(const struct chain_cache *cache, uint64_t hash, size_t num_words)
{
	uint32_t place = hash_table_guess(&cache->index, hash);
	if (place == HASH_TABLE_NONE)
		return;
	for (size_t i = 0; i <= num_words; i += WORDS_OF_CACHE_LINE)
		__builtin_prefetch(cache->words + place + i);
}

bool chain_cache_find(const struct chain_cache *cache, uint64_t hash, const uint64_t *words,
		      size_t num_words, uint32_t *ret_stack)
{
	const struct wanted_chain wanted = {words, num_words};
	uint32_t place = hash_table_find(&cache->index, hash, is_chain, cache, &wanted);
	if (place == HASH_TABLE_NONE)
		return false;
	*ret_stack = head_at(cache, place).stack;
	return true;
}

struct error *chain_cache_add(struct chain_cache *cache, uint64_t hash, const uint64_t *words,
			      size_t num_words, uint32_t stack)
{
	if (num_words >= UINT32_MAX - cache->num_words)
		return NULL; // full: what is not remembered is found as the first time
	struct error *err =
		array_reserve(&cache->words, &cache->cap_words, cache->num_words + 1 + num_words);
	if (!err)
		err = hash_table_insert(&cache->index, hash, (uint32_t)cache->num_words);
	if (err)
		return err;
	const struct chain_head head = {(uint32_t)num_words, stack};
	memcpy(&cache->words[cache->num_words], &head, sizeof(head));
	if (num_words)
		memcpy(&cache->words[cache->num_words + 1], words, num_words * sizeof(*words));
	cache->num_words += 1 + num_words;
	return NULL;
}

void chain_cache_deinit(struct chain_cache *cache)
{
	free(cache->words);
	hash_table_deinit(&cache->index);
	*cache = (struct chain_cache)CHAIN_CACHE_INIT;
}
