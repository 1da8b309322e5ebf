/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_RECORD_BYTES_H
#define WPERF_TESTS_UNIT_RECORD_BYTES_H

/** A record of perf put together by hand: begin, words, halves, texts; end sets its size. */

#include <assert.h>
#include <stdint.h>
#include <string.h>

struct record_bytes {
	uint64_t words[8192];
	size_t num_words;
};

static inline void put(struct record_bytes *bytes, uint64_t word)
{
	assert(bytes->num_words < 8192);
	bytes->words[bytes->num_words++] = word;
}

static inline void put_halves(struct record_bytes *bytes, uint32_t first, uint32_t second)
{
	put(bytes, first | (uint64_t)second << 32);
}

static inline void put_text(struct record_bytes *bytes, const char *text)
{
	size_t size = strlen(text) + 1;
	for (size_t i = 0; i < size; i += 8) {
		uint64_t word = 0;
		memcpy(&word, text + i, size - i < 8 ? size - i : 8);
		put(bytes, word);
	}
}

static inline void begin_record(struct record_bytes *bytes, uint32_t type, uint16_t misc)
{
	bytes->num_words = 0;
	put(bytes, type | (uint64_t)misc << 32);
}

static inline size_t end_record(struct record_bytes *bytes)
{
	size_t size = bytes->num_words * 8;
	bytes->words[0] = (bytes->words[0] & ~(UINT64_C(0xffff) << 48)) | (uint64_t)size << 48;
	return size;
}

#endif
