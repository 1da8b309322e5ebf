/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_ETL_PACKING_H
#define WPERF_TESTS_UNIT_ETL_PACKING_H

/**
 * Packs bytes as Windows' RtlCompressBuffer() does ([MS-XCA]), for tests of what unpacks them. Each
 * match is the nearest one whose first 3 bytes are the same; nobody needs small results here.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ETL_PACKING_MIN_MATCH = 3, ETL_PACKING_HASHES = 1 << 12 };

struct etl_packing_match {
	size_t length /* 0: there is none */, distance;
};

struct etl_packing_matches {
	const uint8_t *bytes;
	size_t size;
	size_t last[ETL_PACKING_HASHES]; /* where bytes of this hash were, and 1 */
};

/** Of the bytes at @at; to be called for each place once, in order. */
static inline struct etl_packing_match etl_packing_find(struct etl_packing_matches *matches,
							size_t at, size_t max_distance,
							size_t max_length)
{
	struct etl_packing_match match = {0};
	const uint8_t *bytes = matches->bytes;
	if (matches->size - at < ETL_PACKING_MIN_MATCH)
		return match;
	uint32_t key = bytes[at] | (uint32_t)bytes[at + 1] << 8 | (uint32_t)bytes[at + 2] << 16;
	size_t *last = &matches->last[key * 2654435761u >> 20];
	size_t from = *last;
	*last = at + 1;
	if (!from || at - (from - 1) > max_distance)
		return match;
	from--;
	size_t length = 0;
	while (length < max_length && at + length < matches->size &&
	       bytes[from + length] == bytes[at + length])
		length++;
	if (length >= ETL_PACKING_MIN_MATCH)
		match = (struct etl_packing_match){length, at - from};
	return match;
}

/** What is packed, and the row of flags or bits that is being filled in it. */
struct etl_packing_output {
	uint8_t *bytes;
	size_t size;
	size_t flags_at;
	uint32_t flags, num_flags;
};

static inline void etl_packing_put(struct etl_packing_output *output, uint64_t value, size_t size)
{
	memcpy(output->bytes + output->size, &value, size);
	output->size += size;
}

static inline void etl_xpress_put_flag(struct etl_packing_output *output, uint32_t flag)
{
	output->flags = output->flags << 1 | flag;
	if (++output->num_flags < 32)
		return;
	memcpy(output->bytes + output->flags_at, &output->flags, 4);
	output->num_flags = 0;
	output->flags_at = output->size;
	output->size += 4;
}

/** @half: where a half of a byte is free; 0: nowhere. */
static inline void etl_xpress_put_match(struct etl_packing_output *output, size_t *half,
					struct etl_packing_match match)
{
	size_t length = match.length - ETL_PACKING_MIN_MATCH;
	etl_packing_put(output, (match.distance - 1) << 3 | (length < 7 ? length : 7), 2);
	if (length < 7)
		return;
	size_t nibble = length - 7 < 15 ? length - 7 : 15;
	if (*half) {
		output->bytes[*half] |= (uint8_t)(nibble << 4);
		*half = 0;
	} else {
		*half = output->size;
		etl_packing_put(output, nibble, 1);
	}
	if (nibble < 15)
		return;
	size_t rest = length - 7 - 15;
	etl_packing_put(output, rest < 255 ? rest : 255, 1);
	if (rest < 255)
		return;
	etl_packing_put(output, length < 1 << 16 ? length : 0, 2);
	if (length >= 1 << 16)
		etl_packing_put(output, length, 4);
}

/** @ret: room for 2 * @size + 16. */
static inline size_t etl_pack_xpress(const uint8_t *bytes, size_t size, uint8_t *ret)
{
	struct etl_packing_matches matches = {.bytes = bytes, .size = size};
	struct etl_packing_output output = {.bytes = ret, .size = 4};
	size_t half = 0;
	for (size_t at = 0; at < size;) {
		struct etl_packing_match match = etl_packing_find(&matches, at, 1 << 13, SIZE_MAX);
		if (match.length)
			etl_xpress_put_match(&output, &half, match);
		else
			etl_packing_put(&output, bytes[at], 1);
		// The flags that are full end behind what they are for.
		etl_xpress_put_flag(&output, match.length != 0);
		at += match.length ? match.length : 1;
	}
	// The flags that are left are those of matches without bytes.
	uint64_t flags = (uint64_t)output.flags << 32 | UINT32_MAX;
	uint32_t last = (uint32_t)(flags >> output.num_flags);
	memcpy(ret + output.flags_at, &last, 4);
	return output.size;
}

/** A chunk of at most 4096 bytes. */
static inline void etl_lznt1_put_chunk(struct etl_packing_output *output, const uint8_t *bytes,
				       size_t size)
{
	struct etl_packing_matches matches = {.bytes = bytes, .size = size};
	size_t header_at = output->size, flags_at = 0;
	output->size += 2;
	for (size_t at = 0, num = 0; at < size; num++) {
		if (num % 8 == 0) {
			flags_at = output->size;
			etl_packing_put(output, 0, 1);
		}
		uint32_t length_bits = 12;
		for (size_t reach = 16; reach < at; reach *= 2)
			length_bits--;
		struct etl_packing_match match =
			etl_packing_find(&matches, at, (size_t)1 << (16 - length_bits),
					 ((size_t)1 << length_bits) + ETL_PACKING_MIN_MATCH - 1);
		if (match.length) {
			output->bytes[flags_at] |= (uint8_t)(1u << num % 8);
			etl_packing_put(output,
					(match.distance - 1) << length_bits |
						(match.length - ETL_PACKING_MIN_MATCH),
					2);
		} else {
			etl_packing_put(output, bytes[at], 1);
		}
		at += match.length ? match.length : 1;
	}
	uint16_t header = (uint16_t)(0xb000 | (output->size - header_at - 3));
	if (output->size - header_at - 2 > size) {
		output->size = header_at + 2;
		memcpy(output->bytes + output->size, bytes, size);
		output->size += size;
		header = (uint16_t)(0x3000 | (size - 1));
	}
	memcpy(output->bytes + header_at, &header, 2);
}

static inline size_t etl_pack_lznt1(const uint8_t *bytes, size_t size, uint8_t *ret)
{
	struct etl_packing_output output = {.bytes = ret};
	for (size_t at = 0; at < size; at += 4096)
		etl_lznt1_put_chunk(&output, bytes + at, size - at < 4096 ? size - at : 4096);
	etl_packing_put(&output, 0, 2);
	return output.size;
}

/** Bits of the words that are not full: [MS-XCA] 2.1.4.3. */
struct etl_huffman_output {
	struct etl_packing_output to;
	size_t word_at, next_word_at;
	uint32_t word, num_free;
	uint32_t codes[512], lengths[512];
};

static inline void etl_huffman_put_word(struct etl_huffman_output *output)
{
	memcpy(output->to.bytes + output->word_at, &output->word, 2);
	output->word_at = output->next_word_at;
	output->next_word_at = output->to.size;
	output->to.size += 2;
}

static inline void etl_huffman_put_bits(struct etl_huffman_output *output, uint32_t bits,
					uint32_t count)
{
	if (output->num_free >= count) {
		output->num_free -= count;
		output->word = output->word << count | bits;
		return;
	}
	uint32_t rest = count - output->num_free;
	output->word = output->word << output->num_free | bits >> rest;
	etl_huffman_put_word(output);
	output->num_free = 16 - rest;
	output->word = bits & ((1u << rest) - 1);
}

static inline void etl_huffman_put_symbol(struct etl_huffman_output *output, uint32_t symbol)
{
	etl_huffman_put_bits(output, output->codes[symbol], output->lengths[symbol]);
}

/** Any code will do: its lengths go by how far a symbol is from the first literal. */
static inline void etl_huffman_put_table(struct etl_huffman_output *output, uint8_t first)
{
	uint32_t code = 0;
	for (uint32_t symbol = 0; symbol < 512; symbol++) {
		uint32_t rank = (symbol - first) % 512;
		output->lengths[symbol] = rank < 6     ? rank + 2
					  : rank < 70  ? 9
					  : rank < 390 ? 10
					  : rank < 500 ? 12
						       : 15;
	}
	for (uint32_t length = 1; length < 16; length++, code <<= 1)
		for (uint32_t symbol = 0; symbol < 512; symbol++)
			if (output->lengths[symbol] == length)
				output->codes[symbol] = code++;
	for (uint32_t i = 0; i < 512; i += 2)
		etl_packing_put(&output->to, output->lengths[i] | output->lengths[i + 1] << 4, 1);
	output->word_at = output->to.size;
	output->next_word_at = output->to.size + 2;
	output->to.size += 4;
	output->word = 0;
	output->num_free = 16;
}

static inline void etl_huffman_put_match(struct etl_huffman_output *output,
					 struct etl_packing_match match)
{
	size_t length = match.length - ETL_PACKING_MIN_MATCH;
	uint32_t bits = 31 - (uint32_t)__builtin_clz((uint32_t)match.distance);
	etl_huffman_put_symbol(output, 256 + (bits << 4) + (length < 15 ? (uint32_t)length : 15));
	if (length >= 15)
		etl_packing_put(&output->to, length - 15 < 255 ? length - 15 : 255, 1);
	if (length >= 15 + 255)
		etl_packing_put(&output->to, length, 2);
	etl_huffman_put_bits(output, (uint32_t)match.distance - (1u << bits), bits);
}

/** @ret: room for 2 * @size + 1024. */
static inline size_t etl_pack_xpress_huffman(const uint8_t *bytes, size_t size, uint8_t *ret)
{
	struct etl_packing_matches matches = {.bytes = bytes, .size = size};
	struct etl_huffman_output output = {.to = {.bytes = ret}};
	for (size_t begin = 0; begin < size; begin += 1 << 16) {
		size_t end = size - begin < 1 << 16 ? size : begin + (1 << 16);
		etl_huffman_put_table(&output, bytes[begin]);
		for (size_t at = begin; at < end;) {
			struct etl_packing_match match =
				etl_packing_find(&matches, at, UINT16_MAX, end - at);
			if (match.length)
				etl_huffman_put_match(&output, match);
			else
				etl_huffman_put_symbol(&output, bytes[at]);
			at += match.length ? match.length : 1;
		}
		if (end == size)
			etl_huffman_put_symbol(&output, 256);
		output.word <<= output.num_free;
		memcpy(ret + output.word_at, &output.word, 2);
		memset(ret + output.next_word_at, 0, 2);
	}
	return output.to.size;
}

#endif
