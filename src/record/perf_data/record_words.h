/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_PERF_DATA_RECORD_WORDS_H
#define WPERF_RECORD_PERF_DATA_RECORD_WORDS_H

/**
 * Private to the decoder: a record is words of 64 bits, taken one after the other. As with
 * base/reader.h, a take that does not fit gives 0 and fails for good; these are inlined, as every
 * sample is a dozen of them.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { RECORD_WORD_SIZE = sizeof(uint64_t) };

struct record_words {
	const uint64_t *next, *end;
	bool failed;
};

static inline const uint64_t *record_words_take_many(struct record_words *words, uint64_t count)
{
	if (count > (uint64_t)(words->end - words->next)) {
		words->failed = true;
		words->next = words->end;
		return NULL;
	}
	const uint64_t *first = words->next;
	words->next += count;
	return first;
}

static inline uint64_t record_words_take(struct record_words *words)
{
	const uint64_t *word = record_words_take_many(words, 1);
	return word ? *word : 0;
}

static inline void record_words_take_halves(struct record_words *words, uint32_t *ret_first,
					    uint32_t *ret_second)
{
	uint64_t word = record_words_take(words);
	uint32_t halves[2];
	memcpy(halves, &word, sizeof(word));
	*ret_first = halves[0];
	*ret_second = halves[1];
}

static inline size_t record_words_count_bits(uint64_t mask)
{
	return (size_t)__builtin_popcountll(mask);
}

#endif
