// SPDX-License-Identifier: Apache-2.0

#include "record/etl/unpack/etl_xpress_huffman.h"

#include "base/byte_order.h"
#include "record/etl/unpack/etl_output.h"

// [MS-XCA] 2.1 and 2.2. Blocks of 64 KB, each with a Huffman code of its own in front: 512 lengths
// of 4 bits, from which the codes follow as in deflate. Symbols below 256 are literals; of the
// others, 4 bits are the length of a match and 4 bits how many bits of distance follow. 256 is also
// the end.
//
// Bits come in words of 16, the highest first, and between these stand the bytes of long lengths:
// so words must be fetched exactly when Windows does. At first there are two words; the next one is
// read as soon as fewer than 16 bits are left.
//
// Codes of up to HUFFMAN_FAST bits are looked up in a table; the few longer ones are compared with
// the first code of each length.

enum {
	HUFFMAN_SYMBOLS = 512,
	HUFFMAN_TABLE = HUFFMAN_SYMBOLS / 2,
	HUFFMAN_MAX_BITS = 15,
	HUFFMAN_FAST = 11,
	HUFFMAN_BLOCK = 1 << 16,
	HUFFMAN_END = 256,
	HUFFMAN_MIN_MATCH = 3,
	HUFFMAN_MAX_LENGTH = 15,
	HUFFMAN_MAX_BYTE = 255,
};

struct huffman_code {
	uint16_t fast[1 << HUFFMAN_FAST];     // symbol << 4 | length; 0: a longer code, or none
	uint16_t sorted[HUFFMAN_SYMBOLS];     // by length
	uint32_t first[HUFFMAN_MAX_BITS + 2]; // the first code of a length, in 15 bits
	uint16_t index[HUFFMAN_MAX_BITS + 1]; // its symbol in `sorted`
};

struct huffman_input {
	const uint8_t *at, *end;
	uint32_t bits;
	int32_t num_extra; // bits beyond 16
};

static inline size_t huffman_left(const struct huffman_input *input)
{
	return (size_t)(input->end - input->at);
}

/** Sort the symbols by length. False: there are more codes than fit. */
static bool huffman_sort(const uint8_t *lengths, struct huffman_code *code)
{
	uint16_t counts[HUFFMAN_MAX_BITS + 1] = {0}, next[HUFFMAN_MAX_BITS + 1];
	for (uint32_t i = 0; i < HUFFMAN_SYMBOLS; i++)
		counts[lengths[i / 2] >> (i % 2 * 4) & 15]++;
	uint32_t at = 0, index = 0;
	for (uint32_t bits = 1; bits <= HUFFMAN_MAX_BITS; bits++) {
		code->first[bits] = at;
		code->index[bits] = next[bits] = (uint16_t)index;
		at += (uint32_t)counts[bits] << (HUFFMAN_MAX_BITS - bits);
		index += counts[bits];
	}
	code->first[HUFFMAN_MAX_BITS + 1] = at; // the end
	for (uint32_t i = 0; i < HUFFMAN_SYMBOLS; i++) {
		uint32_t bits = lengths[i / 2] >> (i % 2 * 4) & 15;
		if (bits)
			code->sorted[next[bits]++] = (uint16_t)i;
	}
	return at <= 1u << HUFFMAN_MAX_BITS;
}

static bool huffman_make_code(const uint8_t *lengths, struct huffman_code *code)
{
	if (!huffman_sort(lengths, code))
		return false;
	memset(code->fast, 0, sizeof(code->fast));
	uint32_t shift = HUFFMAN_MAX_BITS - HUFFMAN_FAST;
	for (uint32_t bits = 1; bits <= HUFFMAN_FAST; bits++) {
		uint32_t to = code->first[bits + 1] >> shift, index = code->index[bits];
		for (uint32_t at = code->first[bits] >> shift; at < to; index++)
			for (uint32_t i = 0; i < 1u << (HUFFMAN_FAST - bits); i++)
				code->fast[at++] = (uint16_t)(code->sorted[index] << 4 | bits);
	}
	return true;
}

/** Take @count bits, which are at most 16. */
static inline bool huffman_take(struct huffman_input *input, uint32_t count)
{
	input->bits <<= count;
	input->num_extra -= (int32_t)count;
	if (input->num_extra >= 0)
		return true;
	if (huffman_left(input) < 2)
		return false;
	input->bits |= (uint32_t)byte_order_load16(input->at, false) << -input->num_extra;
	input->at += 2;
	input->num_extra += 16;
	return true;
}

static inline bool huffman_symbol(struct huffman_input *input, const struct huffman_code *code,
				  uint32_t *ret)
{
	uint32_t entry = code->fast[input->bits >> (32 - HUFFMAN_FAST)];
	if (entry) {
		*ret = entry >> 4;
		return huffman_take(input, entry & 15);
	}
	uint32_t next = input->bits >> (32 - HUFFMAN_MAX_BITS);
	for (uint32_t bits = HUFFMAN_FAST + 1; bits <= HUFFMAN_MAX_BITS; bits++)
		if (next < code->first[bits + 1]) {
			uint32_t place = (next - code->first[bits]) >> (HUFFMAN_MAX_BITS - bits);
			*ret = code->sorted[code->index[bits] + place];
			return huffman_take(input, bits);
		}
	return false;
}

/** The length beyond HUFFMAN_MIN_MATCH, if there was no room for it in the symbol. */
static bool huffman_long_length(struct huffman_input *input, size_t *ret)
{
	if (!huffman_left(input))
		return false;
	uint8_t byte = *input->at++;
	*ret = (size_t)byte + HUFFMAN_MAX_LENGTH;
	if (byte < HUFFMAN_MAX_BYTE)
		return true;
	if (huffman_left(input) < 2)
		return false;
	*ret = byte_order_load16(input->at, false);
	input->at += 2;
	if (*ret)
		return *ret >= HUFFMAN_MAX_LENGTH;
	if (huffman_left(input) < 4)
		return false;
	*ret = byte_order_load32(input->at, false);
	input->at += 4;
	return *ret >= HUFFMAN_MAX_LENGTH;
}

static inline bool huffman_match(struct huffman_input *input, uint32_t symbol,
				 struct etl_output *output)
{
	size_t length = symbol & 15;
	if (length == HUFFMAN_MAX_LENGTH && !huffman_long_length(input, &length))
		return false;
	uint32_t bits = symbol >> 4 & 15;
	// Two shifts, as there may be no bits at all.
	size_t distance = (input->bits >> 1 >> (31 - bits)) + (1u << bits);
	return huffman_take(input, bits) &&
	       etl_output_repeat(output, distance, length + HUFFMAN_MIN_MATCH);
}

/** A block without its table. */
static bool huffman_block(struct huffman_input *input, const struct huffman_code *code,
			  struct etl_output *output)
{
	if (huffman_left(input) < 4)
		return false;
	input->bits = (uint32_t)byte_order_load16(input->at, false) << 16 |
		      byte_order_load16(input->at + 2, false);
	input->at += 4;
	input->num_extra = 16;
	const uint8_t *begin = output->at;
	const uint8_t *end =
		etl_output_left(output) < HUFFMAN_BLOCK ? output->end : output->at + HUFFMAN_BLOCK;
	uint32_t symbol;
	while (output->at < end) {
		if (!huffman_symbol(input, code, &symbol))
			return false;
		if (symbol < 256)
			*output->at++ = (uint8_t)symbol;
		else if (!huffman_match(input, symbol, output))
			return false;
	}
	if (output->at < output->end)
		return true;
	// The symbol of the end may be missing where a full block is the last one.
	bool is_full = output->at - begin >= HUFFMAN_BLOCK;
	return (huffman_symbol(input, code, &symbol) && symbol == HUFFMAN_END) || is_full;
}

bool etl_xpress_huffman_unpack(const uint8_t *packed, size_t packed_size, uint8_t *ret, size_t size)
{
	struct huffman_input input = {.at = packed, .end = packed + packed_size};
	struct etl_output output = {.begin = ret, .at = ret, .end = ret + size};
	struct huffman_code code;
	while (output.at < output.end) {
		if (huffman_left(&input) < HUFFMAN_TABLE || !huffman_make_code(input.at, &code))
			return false;
		input.at += HUFFMAN_TABLE;
		if (!huffman_block(&input, &code, &output))
			return false;
	}
	return !huffman_left(&input);
}
