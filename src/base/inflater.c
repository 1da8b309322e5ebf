// SPDX-License-Identifier: Apache-2.0

#include "base/inflater.h"

#include "base/array.h"
#include "base/byte_order.h"

#include <string.h>

enum {
	MAX_CODE_BITS = 15,
	FAST_BITS = 10, // of codes that are found by one look
	NUM_LITERALS = 288,
	NUM_DISTANCES = 32,
	MOST_LITERALS = 286, // the last ones are never used
	MOST_DISTANCES = 30,
	END_OF_BLOCK = 256,
	NO_SYMBOL = UINT16_MAX,
};

/** Huffman's codes, as their lengths define them. */
struct code {
	uint16_t fast[1 << FAST_BITS];      // by the next bits: symbol << 4 | length; or 0
	uint16_t counts[MAX_CODE_BITS + 1]; // how many have this length
	uint16_t symbols[NUM_LITERALS];     // by length
};

struct inflater {
	const uint8_t *next, *end; // of the packed bytes
	uint64_t bits;             // the next ones, the first is the lowest
	unsigned num_bits;
	bool failed;
	uint8_t *bytes; // what came out
	size_t size, num_bytes;
	struct code literals, distances;
};

/** As many bits as there is room for, or are left. */
static void refill(struct inflater *inflater)
{
	if (inflater->end - inflater->next >= 8) {
		// What does not fit comes again, at the same place.
		uint64_t bits = byte_order_load64(inflater->next, false);
		inflater->bits |= bits << inflater->num_bits;
		unsigned num_bytes = (63 - inflater->num_bits) / 8;
		inflater->next += num_bytes;
		inflater->num_bits += 8 * num_bytes;
		return;
	}
	while (inflater->num_bits <= 56 && inflater->next < inflater->end) {
		inflater->bits |= (uint64_t)*inflater->next++ << inflater->num_bits;
		inflater->num_bits += 8;
	}
}

static void drop_bits(struct inflater *inflater, unsigned count)
{
	if (count > inflater->num_bits) {
		inflater->failed = true;
		return;
	}
	inflater->bits >>= count;
	inflater->num_bits -= count;
}

/** @count: up to 32. */
static uint32_t take_bits(struct inflater *inflater, unsigned count)
{
	if (inflater->num_bits < count)
		refill(inflater);
	uint32_t value = (uint32_t)(inflater->bits & ((1ULL << count) - 1));
	drop_bits(inflater, count);
	return value;
}

static unsigned reverse(unsigned value, unsigned num_bits)
{
	unsigned reversed = 0;
	for (unsigned i = 0; i < num_bits; i++)
		reversed |= (value >> i & 1) << (num_bits - 1 - i);
	return reversed;
}

/** May there be so many of each length? One may be alone, and there may be none at all. */
static bool are_possible(const uint16_t *counts, bool may_be_alone)
{
	int left = 1; // codes that are not given away
	unsigned longest = 0;
	for (unsigned length = 1; length <= MAX_CODE_BITS; length++) {
		left = 2 * left - counts[length];
		if (left < 0)
			return false;
		longest = counts[length] ? length : longest;
	}
	return !left || !longest || (may_be_alone && longest == 1);
}

static void add_fast(struct code *code, unsigned value, unsigned length, unsigned symbol)
{
	if (length > FAST_BITS)
		return;
	for (unsigned i = reverse(value, length); i < 1 << FAST_BITS; i += 1U << length)
		code->fast[i] = (uint16_t)(symbol << 4 | length);
}

static bool make_code(struct code *code, const uint8_t *lengths, size_t count, bool may_be_alone)
{
	memset(code, 0, sizeof(*code));
	for (size_t i = 0; i < count; i++)
		code->counts[lengths[i]]++;
	code->counts[0] = 0;
	if (!are_possible(code->counts, may_be_alone))
		return false;
	uint16_t places[MAX_CODE_BITS + 1] = {0};
	unsigned values[MAX_CODE_BITS + 1] = {0};
	for (unsigned i = 1; i <= MAX_CODE_BITS; i++) {
		places[i] = (uint16_t)(places[i - 1] + code->counts[i - 1]);
		values[i] = (values[i - 1] + code->counts[i - 1]) << 1;
	}
	for (unsigned i = 0; i < count; i++) {
		unsigned length = lengths[i];
		if (!length)
			continue;
		code->symbols[places[length]++] = (uint16_t)i;
		add_fast(code, values[length]++, length, i);
	}
	return true;
}

/** A code that is too long for one look: bit after bit. */
static unsigned take_long_symbol(struct inflater *inflater, const struct code *code)
{
	unsigned value = 0, first = 0, index = 0;
	for (unsigned length = 1; length <= MAX_CODE_BITS; length++) {
		value = value << 1 | take_bits(inflater, 1);
		first <<= 1;
		unsigned count = code->counts[length];
		if (value - first < count)
			return inflater->failed ? NO_SYMBOL : code->symbols[index + value - first];
		index += count;
		first += count;
	}
	return NO_SYMBOL;
}

static unsigned take_symbol(struct inflater *inflater, const struct code *code)
{
	if (inflater->num_bits < MAX_CODE_BITS)
		refill(inflater);
	unsigned found = code->fast[inflater->bits & ((1 << FAST_BITS) - 1)];
	if (!found)
		return take_long_symbol(inflater, code);
	drop_bits(inflater, found & 15);
	return inflater->failed ? NO_SYMBOL : found >> 4;
}

/** A number that begins at a base and goes on with some bits. */
struct span {
	uint16_t base;
	uint8_t num_bits;
};

static const struct span length_spans[] = {{3, 0},   {4, 0},   {5, 0},   {6, 0},   {7, 0},
					   {8, 0},   {9, 0},   {10, 0},  {11, 1},  {13, 1},
					   {15, 1},  {17, 1},  {19, 2},  {23, 2},  {27, 2},
					   {31, 2},  {35, 3},  {43, 3},  {51, 3},  {59, 3},
					   {67, 4},  {83, 4},  {99, 4},  {115, 4}, {131, 5},
					   {163, 5}, {195, 5}, {227, 5}, {258, 0}};

static const struct span distance_spans[] = {
	{1, 0},     {2, 0},     {3, 0},     {4, 0},      {5, 1},      {7, 1},
	{9, 2},     {13, 2},    {17, 3},    {25, 3},     {33, 4},     {49, 4},
	{65, 5},    {97, 5},    {129, 6},   {193, 6},    {257, 7},    {385, 7},
	{513, 8},   {769, 8},   {1025, 9},  {1537, 9},   {2049, 10},  {3073, 10},
	{4097, 11}, {6145, 11}, {8193, 12}, {12289, 12}, {16385, 13}, {24577, 13}};

static uint32_t take_span(struct inflater *inflater, const struct span *spans, size_t count,
			  unsigned symbol)
{
	if (symbol >= count) {
		inflater->failed = true;
		return 0;
	}
	return spans[symbol].base + take_bits(inflater, spans[symbol].num_bits);
}

/** What came out before comes again; it may go on into what is copied. */
static void repeat(struct inflater *inflater, unsigned symbol)
{
	uint32_t length = take_span(inflater, length_spans, ARRAY_SIZE(length_spans),
				    symbol - END_OF_BLOCK - 1);
	uint32_t distance = take_span(inflater, distance_spans, ARRAY_SIZE(distance_spans),
				      take_symbol(inflater, &inflater->distances));
	if (inflater->failed || distance > inflater->num_bytes ||
	    length > inflater->size - inflater->num_bytes) {
		inflater->failed = true;
		return;
	}
	uint8_t *to = inflater->bytes + inflater->num_bytes;
	inflater->num_bytes += length;
	if (distance >= length) {
		memcpy(to, to - distance, length);
		return;
	}
	for (uint32_t i = 0; i < length; i++)
		to[i] = to[(ptrdiff_t)i - (ptrdiff_t)distance];
}

static void unpack_symbols(struct inflater *inflater)
{
	while (!inflater->failed) {
		unsigned symbol = take_symbol(inflater, &inflater->literals);
		if (symbol == END_OF_BLOCK)
			return;
		if (symbol > END_OF_BLOCK)
			repeat(inflater, symbol);
		else if (inflater->num_bytes < inflater->size)
			inflater->bytes[inflater->num_bytes++] = (uint8_t)symbol;
		else
			inflater->failed = true;
	}
}

static void copy_stored(struct inflater *inflater)
{
	drop_bits(inflater, inflater->num_bits % 8);
	uint32_t length = take_bits(inflater, 16);
	uint32_t inverse = take_bits(inflater, 16);
	// What was taken for bits is given back.
	inflater->next -= inflater->num_bits / 8;
	inflater->bits = inflater->num_bits = 0;
	if (inflater->failed || length != (inverse ^ UINT16_MAX) ||
	    length > (size_t)(inflater->end - inflater->next) ||
	    length > inflater->size - inflater->num_bytes) {
		inflater->failed = true;
		return;
	}
	memcpy(inflater->bytes + inflater->num_bytes, inflater->next, length);
	inflater->next += length;
	inflater->num_bytes += length;
}

static void use_fixed_codes(struct inflater *inflater)
{
	uint8_t lengths[NUM_LITERALS];
	memset(lengths, 8, 144);
	memset(lengths + 144, 9, 256 - 144);
	memset(lengths + 256, 7, 280 - 256);
	memset(lengths + 280, 8, NUM_LITERALS - 280);
	make_code(&inflater->literals, lengths, NUM_LITERALS, false);
	memset(lengths, 5, NUM_DISTANCES);
	make_code(&inflater->distances, lengths, NUM_DISTANCES, false);
}

/** The lengths of codes are themselves in a code, which repeats. False: they do not fit. */
static bool take_lengths(struct inflater *inflater, const struct code *code, uint8_t *lengths,
			 size_t count)
{
	for (size_t i = 0; i < count;) {
		unsigned symbol = take_symbol(inflater, code);
		if (symbol < 16) {
			lengths[i++] = (uint8_t)symbol;
			continue;
		}
		if (inflater->failed || symbol > 18 || (symbol == 16 && !i))
			return false;
		uint8_t repeated = symbol == 16 ? lengths[i - 1] : 0;
		static const struct span times[] = {{3, 2}, {3, 3}, {11, 7}};
		size_t most = take_span(inflater, times, ARRAY_SIZE(times), symbol - 16);
		if (most > count - i)
			return false;
		memset(lengths + i, repeated, most);
		i += most;
	}
	return !inflater->failed;
}

static bool take_codes(struct inflater *inflater)
{
	static const uint8_t order[] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
					11, 4,  12, 3, 13, 2, 14, 1, 15};
	size_t num_literals = take_bits(inflater, 5) + 257;
	size_t num_distances = take_bits(inflater, 5) + 1;
	size_t num_lengths = take_bits(inflater, 4) + 4;
	uint8_t lengths[MOST_LITERALS + MOST_DISTANCES] = {0};
	if (num_literals > MOST_LITERALS || num_distances > MOST_DISTANCES)
		return false;
	for (size_t i = 0; i < num_lengths; i++)
		lengths[order[i]] = (uint8_t)take_bits(inflater, 3);
	struct code code;
	if (!make_code(&code, lengths, ARRAY_SIZE(order), false))
		return false;
	memset(lengths, 0, ARRAY_SIZE(order));
	return take_lengths(inflater, &code, lengths, num_literals + num_distances) &&
	       lengths[END_OF_BLOCK] &&
	       make_code(&inflater->literals, lengths, num_literals, true) &&
	       make_code(&inflater->distances, lengths + num_literals, num_distances, true);
}

/** @return: was it the last one? */
static bool unpack_block(struct inflater *inflater)
{
	enum { STORED, FIXED, DYNAMIC };
	bool is_last = take_bits(inflater, 1);
	switch (take_bits(inflater, 2)) {
	case STORED:
		copy_stored(inflater);
		return is_last;
	case FIXED:
		use_fixed_codes(inflater);
		break;
	case DYNAMIC:
		inflater->failed |= !take_codes(inflater);
		break;
	default:
		inflater->failed = true;
	}
	unpack_symbols(inflater);
	return is_last;
}

/** The checksum of zlib, which is Adler's. */
static uint32_t checksum(const uint8_t *bytes, size_t size)
{
	enum { PRIME = 65521, MOST = 5552 }; // so many fit into 32 bits before the remainder
	uint32_t low = 1, high = 0;
	while (size) {
		size_t count = size < MOST ? size : MOST;
		for (size_t i = 0; i < count; i++) {
			low += bytes[i];
			high += low;
		}
		low %= PRIME;
		high %= PRIME;
		bytes += count;
		size -= count;
	}
	return high << 16 | low;
}

static bool has_checksum(struct inflater *inflater)
{
	const uint8_t *end = inflater->next - inflater->num_bits / 8;
	return inflater->end - end >= 4 &&
	       byte_order_load32(end, true) == checksum(inflater->bytes, inflater->num_bytes);
}

bool inflater_unpack(const void *packed, size_t packed_size, uint8_t *ret, size_t size)
{
	enum { DEFLATED = 8, MOST_WINDOW = 7, HAS_DICTIONARY = 0x20 };
	const uint8_t *header = packed;
	if (packed_size < 2 || (header[0] & 15) != DEFLATED || header[0] >> 4 > MOST_WINDOW ||
	    (header[0] << 8 | header[1]) % 31 || header[1] & HAS_DICTIONARY)
		return false;
	struct inflater inflater = {
		.next = header + 2,
		.end = header + packed_size,
		.bytes = ret,
		.size = size,
	};
	while (!inflater.failed && !unpack_block(&inflater))
		;
	return !inflater.failed && inflater.num_bytes == size && has_checksum(&inflater);
}
