// SPDX-License-Identifier: Apache-2.0

#include "source/memory/leaks/heap_chunks.h"

#include <stdlib.h>
#include <string.h>

// glibc's heap is a row of chunks without gaps (malloc/malloc.c of glibc, "struct malloc_chunk"): a
// word that belongs to the chunk before, a word with the size of this one, whose lowest three bits
// are flags, and then what the program gets, up to behind the first word of the next chunk. The
// flag of value 1 says that the chunk before is in use. Small freed chunks that glibc keeps at hand
// look as if they were in use. The last chunk of all, the "top", ends where the memory does.

enum { UNIT = 16, FLAGS = 7, BEFORE_IS_USED = 1, WORD_BITS = 64 };

static uint64_t heap_chunks_word(const struct heap_chunks *chunks, uint64_t address)
{
	uint64_t word;
	memcpy(&word, chunks->bytes + (address - chunks->start), sizeof(word));
	return word;
}

static bool heap_chunks_bit(const uint64_t *bits, uint64_t index)
{
	return bits[index / WORD_BITS] >> index % WORD_BITS & 1;
}

static void heap_chunks_set(uint64_t *bits, uint64_t index)
{
	bits[index / WORD_BITS] |= UINT64_C(1) << index % WORD_BITS;
}

static uint64_t heap_chunks_index(const struct heap_chunks *chunks, uint64_t address)
{
	return (address - chunks->start) / UNIT;
}

/** 0: it is no chunk. */
static uint64_t heap_chunks_size(const struct heap_chunks *chunks, uint64_t chunk)
{
	uint64_t size = heap_chunks_word(chunks, chunk + 8) & ~(uint64_t)FLAGS;
	bool fits = size >= UNIT && size % UNIT == 0 && size <= chunks->end - chunk;
	return fits ? size : 0;
}

static bool heap_chunks_walk(struct heap_chunks *chunks)
{
	uint64_t before = 0;
	for (uint64_t at = chunks->start; at < chunks->end;) {
		uint64_t size = heap_chunks_size(chunks, at);
		if (!size)
			return false;
		if (before && !(heap_chunks_word(chunks, at + 8) & BEFORE_IS_USED))
			heap_chunks_set(chunks->is_free, heap_chunks_index(chunks, before));
		heap_chunks_set(chunks->begins, heap_chunks_index(chunks, at));
		before = at;
		at += size;
	}
	// The top: nobody has it.
	heap_chunks_set(chunks->is_free, heap_chunks_index(chunks, before));
	return true;
}

struct error *heap_chunks_create(uint64_t start, uint64_t end, uint8_t *bytes,
				 struct heap_chunks *ret, bool *ret_is_heap)
{
	*ret_is_heap = false;
	if (start % UNIT || end % UNIT || end <= start)
		return NULL;
	size_t num_words = (size_t)((end - start) / UNIT / WORD_BITS + 1);
	struct heap_chunks chunks = {
		.start = start,
		.end = end,
		.bytes = bytes,
		.begins = calloc(num_words, sizeof(uint64_t)),
		.is_free = calloc(num_words, sizeof(uint64_t)),
		.is_reached = calloc(num_words, sizeof(uint64_t)),
	};
	bool has_memory = chunks.begins && chunks.is_free && chunks.is_reached;
	*ret_is_heap = has_memory && heap_chunks_walk(&chunks);
	if (*ret_is_heap)
		*ret = chunks;
	else
		heap_chunks_destroy(&chunks);
	return has_memory ? NULL : &error_no_memory;
}

void heap_chunks_destroy(struct heap_chunks *chunks)
{
	free(chunks->begins);
	free(chunks->is_free);
	free(chunks->is_reached);
	chunks->begins = chunks->is_free = chunks->is_reached = NULL;
}

uint64_t heap_chunks_end(const struct heap_chunks *chunks, uint64_t block)
{
	uint64_t chunk = block - HEAP_CHUNKS_HEAD;
	uint64_t end = chunk + heap_chunks_size(chunks, chunk) + 8;
	return end < chunks->end ? end : chunks->end;
}

uint64_t heap_chunks_find(const struct heap_chunks *chunks, uint64_t address)
{
	if (address < chunks->start + HEAP_CHUNKS_HEAD || address >= chunks->end)
		return 0;
	// Less the head, so that the first word of the next chunk is this one's.
	uint64_t index = heap_chunks_index(chunks, address - HEAP_CHUNKS_HEAD);
	size_t word = (size_t)(index / WORD_BITS);
	uint64_t bits = chunks->begins[word] & (UINT64_MAX >> (WORD_BITS - 1 - index % WORD_BITS));
	while (!bits)
		bits = chunks->begins[--word];
	uint64_t begin = word * WORD_BITS + WORD_BITS - 1 - (uint64_t)__builtin_clzll(bits);
	if (heap_chunks_bit(chunks->is_free, begin))
		return 0;
	uint64_t block = chunks->start + begin * UNIT + HEAP_CHUNKS_HEAD;
	return address < heap_chunks_end(chunks, block) ? block : 0;
}

bool heap_chunks_is_reached(const struct heap_chunks *chunks, uint64_t block)
{
	return heap_chunks_bit(chunks->is_reached,
			       heap_chunks_index(chunks, block - HEAP_CHUNKS_HEAD));
}

bool heap_chunks_reach(struct heap_chunks *chunks, uint64_t block)
{
	bool before = heap_chunks_is_reached(chunks, block);
	heap_chunks_set(chunks->is_reached, heap_chunks_index(chunks, block - HEAP_CHUNKS_HEAD));
	return before;
}
