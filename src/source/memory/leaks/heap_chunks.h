/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_MEMORY_LEAKS_HEAP_CHUNKS_H
#define WPERF_SOURCE_MEMORY_LEAKS_HEAP_CHUNKS_H

/**
 * A part of glibc's heap: which chunk an address is in, and whether it has been reached. Made from
 * a copy of the memory, which is the process's word.
 */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HEAP_CHUNKS_HEAD = 16 }; /* bytes before what the program gets */

struct heap_chunks {
	uint64_t start, end; /* of the chunks */
	uint8_t *bytes;      /* the copy, from @start on; owned by the caller */
	/* private: a bit for each 16 bytes */
	uint64_t *begins, *is_free, *is_reached;
};

/** @ret_is_heap: false: it does not look like chunks, and nothing was made. */
struct error *heap_chunks_create(uint64_t start, uint64_t end, uint8_t *bytes,
				 struct heap_chunks *ret, bool *ret_is_heap);
void heap_chunks_destroy(struct heap_chunks *chunks);

/** The address that the program has of the block that @address is in; 0: it is in none that is in
 *  use. */
uint64_t heap_chunks_find(const struct heap_chunks *chunks, uint64_t address);

/** Of a block that was found: where its chunk ends. */
uint64_t heap_chunks_end(const struct heap_chunks *chunks, uint64_t block);

/** Of a block that was found. Returns whether it was reached before. */
bool heap_chunks_reach(struct heap_chunks *chunks, uint64_t block);
bool heap_chunks_is_reached(const struct heap_chunks *chunks, uint64_t block);

#endif
