// SPDX-License-Identifier: Apache-2.0

#include "stack/chain_cache.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

enum { NUM_CHAINS = 20000, MAX_LENGTH = 40 };

/** The n-th chain: those with the same n / 4 differ in their last word only. */
static size_t make_chain(size_t n, uint64_t words[MAX_LENGTH])
{
	size_t length = n % MAX_LENGTH;
	for (size_t i = 0; i < length; i++)
		words[i] = 0x400000 + (n / 4) * 16 + i;
	if (length)
		words[length - 1] ^= n % 4;
	return length;
}

static void every_chain_has_its_stack(void **state)
{
	_cleanup_(chain_cache_deinit) struct chain_cache cache = CHAIN_CACHE_INIT;
	uint64_t words[MAX_LENGTH];
	uint32_t stack;
	size_t num_added = 0;
	for (size_t n = 0; n < NUM_CHAINS; n++) {
		size_t length = make_chain(n, words);
		uint64_t hash = chain_cache_hash(words, length);
		chain_cache_prefetch_index(&cache, hash);
		chain_cache_prefetch_words(&cache, hash, length);
		if (chain_cache_find(&cache, hash, words, length, &stack)) {
			assert_int_equal(length, 0); // the empty one comes again and again
			continue;
		}
		assert_no_error(chain_cache_add(&cache, hash, words, length, (uint32_t)n));
		num_added++;
	}
	assert_int_equal(num_added, NUM_CHAINS - NUM_CHAINS / MAX_LENGTH + 1);
	for (size_t n = 1; n < NUM_CHAINS; n++) {
		size_t length = make_chain(n, words);
		assert_true(chain_cache_find(&cache, chain_cache_hash(words, length), words, length,
					     &stack));
		assert_int_equal(stack, length ? n : 0);
	}
}

/** A chain that another one begins with is not that one. */
static void length_counts(void **state)
{
	_cleanup_(chain_cache_deinit) struct chain_cache cache = CHAIN_CACHE_INIT;
	const uint64_t words[] = {1, 2, 3};
	uint32_t stack;
	assert_no_error(chain_cache_add(&cache, 5, words, 3, 1));
	assert_false(chain_cache_find(&cache, 5, words, 2, &stack)); // even if the hash says so
	assert_true(chain_cache_find(&cache, 5, words, 3, &stack));
}

int chain_cache_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_chain_has_its_stack),
		cmocka_unit_test(length_counts),
	};
	return cmocka_run_group_tests_name("chain_cache", tests, NULL, NULL);
}
