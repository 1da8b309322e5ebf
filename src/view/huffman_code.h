/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_HUFFMAN_CODE_H
#define WPERF_VIEW_HUFFMAN_CODE_H

/**
 * Short codes for frequent symbols, as deflate (RFC 1951) wants them: complete, canonical, of no
 * more than so many bits, and with their bits in the order in which they are written.
 */

#include <stddef.h>
#include <stdint.h>

enum {
	HUFFMAN_MAX_SYMBOLS = 288,
	HUFFMAN_MAX_BITS = 15,
};

struct huffman_code {
	size_t num_symbols;
	uint32_t counts[HUFFMAN_MAX_SYMBOLS]; /* how often each symbol comes; the caller's */
	uint8_t lengths[HUFFMAN_MAX_SYMBOLS]; /* 0: the symbol does not come */
	uint16_t codes[HUFFMAN_MAX_SYMBOLS];
};

/** No symbols have come so far. */
void huffman_code_init(struct huffman_code *code, size_t num_symbols);

/**
 * Lengths and codes out of the counts, of which no more than 2^31 are in sum. At least two symbols
 * get a code: not every reader takes a code of one. @max_bits: 2^max_bits symbols must fit.
 */
void huffman_code_build(struct huffman_code *code, unsigned max_bits);

/** The bits of all that was counted, as it will be written. */
uint64_t huffman_code_cost(const struct huffman_code *code);

#endif
