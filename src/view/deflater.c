// SPDX-License-Identifier: Apache-2.0

#include "view/deflater.h"

#include "base/byte_order.h"
#include "view/huffman_code.h"
#include "view/match_finder.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// RFC 1951, section 3.2.
enum {
	BLOCK_STORED,
	BLOCK_FIXED,
	BLOCK_DYNAMIC,
	STORED_MAX = 65535,
	END_OF_BLOCK = 256,
	FIRST_LENGTH = 257,
	NUM_LITERALS = 286,
	NUM_DISTANCES = 30,
	LENGTH_SYMBOLS = 19, /* of the code in which the lengths of the other two are written */
	LENGTH_BITS = 7,
	REPEAT_BEFORE = 16, /* the length before, 3 to 6 times */
	REPEAT_ZERO = 17,   /* 3 to 10 times */
	REPEAT_ZEROS = 18,  /* 11 to 138 times */
};

enum {
	BLOCK_SIZE = STORED_MAX,
	OUTPUT_SIZE = BLOCK_SIZE + 64, /* a block is never longer than stored */
};

/** A byte, or a match; what stands for it in the code of literals and in that of distances. */
struct token {
	uint16_t length; /* 0: a byte */
	uint16_t value;  /* the byte; or the distance less one */
};

/** One length of a code, or a run of them. */
struct length_run {
	uint8_t symbol;
	uint8_t more; /* what a repeat has behind it */
};

struct deflater {
	FILE *stream;
	struct match_finder finder;
	size_t num_before, num_waiting; /* of bytes: those that matches may be in, and the block */
	uint32_t first_place;           /* of bytes[0] */
	uint8_t bytes[MATCH_MAX_DISTANCE + BLOCK_SIZE];

	size_t num_tokens;
	struct token tokens[BLOCK_SIZE];
	struct huffman_code literals, distances, lengths;
	size_t num_runs;
	struct length_run runs[NUM_LITERALS + NUM_DISTANCES];

	uint64_t bits; /* not written yet, the lowest is the first */
	unsigned num_bits;
	size_t num_output;
	uint8_t output[OUTPUT_SIZE];
};

struct error *deflater_create(FILE *stream, struct deflater **ret)
{
	struct deflater *deflater = calloc(1, sizeof(*deflater));
	if (!deflater)
		return &error_no_memory;
	deflater->stream = stream;
	*ret = deflater;
	return NULL;
}

void deflater_destroy(struct deflater *deflater)
{
	free(deflater);
}

static void put_bits(struct deflater *deflater, uint32_t value, unsigned count)
{
	deflater->bits |= (uint64_t)value << deflater->num_bits;
	deflater->num_bits += count;
	// All eight bytes are written; those of bits that come later will be written again.
	byte_order_store64(deflater->output + deflater->num_output, deflater->bits, false);
	unsigned num_bytes = deflater->num_bits / 8;
	deflater->num_output += num_bytes;
	deflater->bits >>= 8 * num_bytes;
	deflater->num_bits -= 8 * num_bytes;
}

static void fill_byte(struct deflater *deflater)
{
	if (deflater->num_bits)
		put_bits(deflater, 0, 8 - deflater->num_bits);
}

static void put_symbol(struct deflater *deflater, const struct huffman_code *code, unsigned symbol)
{
	put_bits(deflater, code->codes[symbol], code->lengths[symbol]);
}

/** A symbol for a range of numbers, and the bits that say which of them it is. */
struct ranged {
	unsigned symbol, num_more, more;
};

// Lengths: 8 symbols of one number, then 4 for each further bit; the greatest has its own.
static struct ranged range_of_length(unsigned length)
{
	unsigned number = length - 3;
	if (length == MATCH_MAX_LENGTH)
		return (struct ranged){NUM_LITERALS - 1, 0, 0};
	unsigned num_more = number < 8 ? 0 : 29 - (unsigned)__builtin_clz(number);
	return (struct ranged){FIRST_LENGTH + 4 * num_more + (number >> num_more), num_more,
			       number & ((1u << num_more) - 1)};
}

// Distances: 4 symbols of one number, then 2 for each further bit.
static struct ranged range_of_distance(unsigned number)
{
	unsigned num_more = number < 4 ? 0 : 30 - (unsigned)__builtin_clz(number);
	return (struct ranged){2 * num_more + (number >> num_more), num_more,
			       number & ((1u << num_more) - 1)};
}

static void add_byte(struct deflater *deflater, uint8_t byte)
{
	deflater->tokens[deflater->num_tokens++] = (struct token){0, byte};
	deflater->literals.counts[byte]++;
}

static void add_match(struct deflater *deflater, struct match match)
{
	struct token token = {(uint16_t)match.length, (uint16_t)(match.distance - 1)};
	deflater->tokens[deflater->num_tokens++] = token;
	deflater->literals.counts[range_of_length(token.length).symbol]++;
	deflater->distances.counts[range_of_distance(token.value).symbol]++;
}

// Of a long match some places do: who finds one of them again finds most of it.
static void pass_match(struct deflater *deflater, const struct match_window *window, size_t index,
		       size_t length)
{
	enum { EACH_PLACE_MAX = 16 };
	size_t step = 1 + length / EACH_PLACE_MAX;
	for (size_t i = 1; i < length; i += step)
		match_finder_pass(&deflater->finder, window, index + i);
}

static void find_tokens(struct deflater *deflater)
{
	struct match_window window = {
		.bytes = deflater->bytes,
		.size = deflater->num_before + deflater->num_waiting,
		.first_place = deflater->first_place,
	};
	for (size_t index = deflater->num_before; index < window.size;) {
		struct match match = match_finder_find(&deflater->finder, &window, index);
		if (!match.length) {
			add_byte(deflater, deflater->bytes[index++]);
			continue;
		}
		add_match(deflater, match);
		pass_match(deflater, &window, index, match.length);
		index += match.length;
	}
	deflater->literals.counts[END_OF_BLOCK]++;
}

static void add_run(struct deflater *deflater, uint8_t symbol, size_t more)
{
	deflater->runs[deflater->num_runs++] = (struct length_run){symbol, (uint8_t)more};
	deflater->lengths.counts[symbol]++;
}

// @count times the same length.
static void add_length(struct deflater *deflater, uint8_t length, size_t count)
{
	if (length && count) {
		add_run(deflater, length, 0);
		count--;
	}
	while (count >= 3) {
		size_t max = length ? 6 : 138;
		size_t part = count < max ? count : max;
		if (length)
			add_run(deflater, REPEAT_BEFORE, part - 3);
		else if (part <= 10)
			add_run(deflater, REPEAT_ZERO, part - 3);
		else
			add_run(deflater, REPEAT_ZEROS, part - 11);
		count -= part;
	}
	for (; count; count--)
		add_run(deflater, length, 0);
}

static size_t num_used(const struct huffman_code *code, size_t min)
{
	size_t count = code->num_symbols;
	while (count > min && !code->lengths[count - 1])
		count--;
	return count;
}

// The lengths of both codes as one row, in which runs may go from one to the other.
static void find_runs(struct deflater *deflater, size_t num_literals, size_t num_distances)
{
	uint8_t row[NUM_LITERALS + NUM_DISTANCES];
	memcpy(row, deflater->literals.lengths, num_literals);
	memcpy(row + num_literals, deflater->distances.lengths, num_distances);
	size_t size = num_literals + num_distances;
	for (size_t start = 0, end; start < size; start = end) {
		for (end = start + 1; end < size && row[end] == row[start];)
			end++;
		add_length(deflater, row[start], end - start);
	}
}

static unsigned bits_behind(uint8_t symbol)
{
	switch (symbol) {
	case REPEAT_BEFORE:
		return 2;
	case REPEAT_ZERO:
		return 3;
	case REPEAT_ZEROS:
		return 7;
	default:
		return 0;
	}
}

// Those that are seldom used come last, and are left out at the end.
static const uint8_t length_order[LENGTH_SYMBOLS] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
						     11, 4,  12, 3, 13, 2, 14, 1, 15};

/** What stands before the tokens of a dynamic block. */
struct block_header {
	size_t num_literals, num_distances, num_lengths;
};

static struct block_header make_codes(struct deflater *deflater)
{
	huffman_code_build(&deflater->literals, HUFFMAN_MAX_BITS);
	huffman_code_build(&deflater->distances, HUFFMAN_MAX_BITS);
	struct block_header header = {
		.num_literals = num_used(&deflater->literals, FIRST_LENGTH),
		.num_distances = num_used(&deflater->distances, 1),
		.num_lengths = LENGTH_SYMBOLS,
	};
	find_runs(deflater, header.num_literals, header.num_distances);
	huffman_code_build(&deflater->lengths, LENGTH_BITS);
	while (header.num_lengths > 4 &&
	       !deflater->lengths.lengths[length_order[header.num_lengths - 1]])
		header.num_lengths--;
	return header;
}

static uint64_t dynamic_cost(const struct deflater *deflater, const struct block_header *header)
{
	uint64_t bits = 3 + 5 + 5 + 4 + 3 * header->num_lengths;
	bits += huffman_code_cost(&deflater->lengths);
	for (size_t i = 0; i < deflater->num_runs; i++)
		bits += bits_behind(deflater->runs[i].symbol);
	bits += huffman_code_cost(&deflater->literals) + huffman_code_cost(&deflater->distances);
	for (size_t i = 0; i < deflater->num_tokens; i++) {
		struct token token = deflater->tokens[i];
		if (token.length)
			bits += range_of_length(token.length).num_more +
				range_of_distance(token.value).num_more;
	}
	return bits;
}

static void put_header(struct deflater *deflater, const struct block_header *header)
{
	put_bits(deflater, (uint32_t)header->num_literals - FIRST_LENGTH, 5);
	put_bits(deflater, (uint32_t)header->num_distances - 1, 5);
	put_bits(deflater, (uint32_t)header->num_lengths - 4, 4);
	for (size_t i = 0; i < header->num_lengths; i++)
		put_bits(deflater, deflater->lengths.lengths[length_order[i]], 3);
	for (size_t i = 0; i < deflater->num_runs; i++) {
		struct length_run run = deflater->runs[i];
		put_symbol(deflater, &deflater->lengths, run.symbol);
		put_bits(deflater, run.more, bits_behind(run.symbol));
	}
}

static void put_ranged(struct deflater *deflater, const struct huffman_code *code,
		       struct ranged ranged)
{
	put_symbol(deflater, code, ranged.symbol);
	put_bits(deflater, ranged.more, ranged.num_more);
}

static void put_tokens(struct deflater *deflater)
{
	for (size_t i = 0; i < deflater->num_tokens; i++) {
		struct token token = deflater->tokens[i];
		if (!token.length) {
			put_symbol(deflater, &deflater->literals, token.value);
			continue;
		}
		put_ranged(deflater, &deflater->literals, range_of_length(token.length));
		put_ranged(deflater, &deflater->distances, range_of_distance(token.value));
	}
	put_symbol(deflater, &deflater->literals, END_OF_BLOCK);
}

static void put_stored(struct deflater *deflater)
{
	uint32_t size = (uint32_t)deflater->num_waiting;
	fill_byte(deflater);
	put_bits(deflater, size, 16);
	put_bits(deflater, ~size & 0xffff, 16);
	memcpy(deflater->output + deflater->num_output, deflater->bytes + deflater->num_before,
	       size);
	deflater->num_output += size;
}

static void put_block(struct deflater *deflater, bool is_last)
{
	enum { STORED_MAX_OVERHEAD = 3 + 7 + 32 };
	struct block_header header = make_codes(deflater);
	bool is_dynamic = dynamic_cost(deflater, &header) <
			  8 * (uint64_t)deflater->num_waiting + STORED_MAX_OVERHEAD;
	put_bits(deflater, is_last, 1);
	put_bits(deflater, is_dynamic ? BLOCK_DYNAMIC : BLOCK_STORED, 2);
	if (is_dynamic) {
		put_header(deflater, &header);
		put_tokens(deflater);
	} else {
		put_stored(deflater);
	}
	if (is_last)
		fill_byte(deflater);
	fwrite(deflater->output, 1, deflater->num_output, deflater->stream);
}

static void start_block(struct deflater *deflater)
{
	huffman_code_init(&deflater->literals, NUM_LITERALS);
	huffman_code_init(&deflater->distances, NUM_DISTANCES);
	huffman_code_init(&deflater->lengths, LENGTH_SYMBOLS);
	deflater->num_tokens = 0;
	deflater->num_runs = 0;
	deflater->num_output = 0;
}

// What matches may still be in moves to the front.
static void keep_end(struct deflater *deflater)
{
	size_t size = deflater->num_before + deflater->num_waiting;
	size_t kept = size < MATCH_MAX_DISTANCE ? size : MATCH_MAX_DISTANCE;
	memmove(deflater->bytes, deflater->bytes + size - kept, kept);
	deflater->first_place += (uint32_t)(size - kept);
	deflater->num_before = kept;
	deflater->num_waiting = 0;
}

static void compress_waiting(struct deflater *deflater, bool is_last)
{
	start_block(deflater);
	find_tokens(deflater);
	put_block(deflater, is_last);
	keep_end(deflater);
}

void deflater_add(struct deflater *deflater, const void *bytes, size_t size)
{
	const uint8_t *rest = bytes;
	while (size > 0) {
		size_t room = BLOCK_SIZE - deflater->num_waiting;
		size_t part = size < room ? size : room;
		memcpy(deflater->bytes + deflater->num_before + deflater->num_waiting, rest, part);
		deflater->num_waiting += part;
		rest += part;
		size -= part;
		if (deflater->num_waiting == BLOCK_SIZE)
			compress_waiting(deflater, false);
	}
}

void deflater_finish(struct deflater *deflater)
{
	compress_waiting(deflater, true);
}
