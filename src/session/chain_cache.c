// SPDX-License-Identifier: Apache-2.0

#include "session/chain_cache.h"

#include "base/array.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct chain_cache_item {
	const uint64_t *words;
	uint32_t num_words;
	uint32_t stack;
};

struct wanted_chain {
	const uint64_t *words;
	size_t num_words;
};

static uint64_t mix(uint64_t hash, uint64_t word)
{
	// Two multiplications of 64 bits a word; addresses differ in their low bits.
	hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ (hash >> 29);
}

uint64_t chain_cache_hash(const uint64_t *words, size_t num_words)
{
	uint64_t hash = num_words;
	for (size_t i = 0; i < num_words; i++)
		hash = mix(hash, words[i]);
	return mix(hash, hash >> 32);
}

static bool is_chain(const void *owner, uint32_t index, const void *key)
{
	const struct chain_cache_item *item = &((const struct chain_cache *)owner)->items[index];
	const struct wanted_chain *wanted = key;
	return item->num_words == wanted->num_words &&
	       !memcmp(item->words, wanted->words, wanted->num_words * sizeof(*wanted->words));
}

bool chain_cache_find(const struct chain_cache *cache, uint64_t hash, const uint64_t *words,
		      size_t num_words, uint32_t *ret_stack)
{
	const struct wanted_chain wanted = {words, num_words};
	uint32_t index = hash_table_find(&cache->index, hash, is_chain, cache, &wanted);
	if (index == HASH_TABLE_NONE)
		return false;
	*ret_stack = cache->items[index].stack;
	return true;
}

struct error *chain_cache_add(struct chain_cache *cache, uint64_t hash, const uint64_t *words,
			      size_t num_words, uint32_t stack)
{
	struct error *err = array_reserve(&cache->items, &cache->cap_items, cache->num_items + 1);
	if (err)
		return err;
	uint64_t *copy = arena_alloc_array(&cache->arena, num_words, sizeof(*copy));
	if (!copy)
		return &error_no_memory;
	if (num_words)
		memcpy(copy, words, num_words * sizeof(*copy));
	err = hash_table_insert(&cache->index, hash, (uint32_t)cache->num_items);
	if (err)
		return err;
	cache->items[cache->num_items++] = (struct chain_cache_item){
		.words = copy,
		.num_words = (uint32_t)num_words,
		.stack = stack,
	};
	return NULL;
}

void chain_cache_deinit(struct chain_cache *cache)
{
	free(cache->items);
	hash_table_deinit(&cache->index);
	arena_deinit(&cache->arena);
	*cache = (struct chain_cache)CHAIN_CACHE_INIT;
}
