// SPDX-License-Identifier: Apache-2.0

#include "record/etl/unpack/etl_lznt1.h"

#include "base/reader.h"
#include "record/etl/unpack/etl_output.h"

// [MS-XCA] 2.5. A row of chunks, each of which becomes 4096 bytes, the last one fewer. A chunk has
// a header of 16 bits: 12 of its size, 3 of a signature, and whether it is packed. In a packed one,
// 8 flags stand in front of what they are for, the first in the lowest bit: 0 is a literal, 1 a
// match of 16 bits. How many of these are for the distance depends on how far it can go, which is
// to the chunk's beginning. A header of 0 may end the row.
//
// What a chunk lacks to 4096 bytes, where another one follows, is zeros.

enum {
	LZNT1_CHUNK = 4096,
	LZNT1_PACKED = 1 << 15,
	LZNT1_SIGNATURE = 3,
	LZNT1_MIN_MATCH = 3,
	LZNT1_FLAGS = 8,
};

static bool lznt1_match(struct reader *reader, struct etl_output *output)
{
	uint32_t match = reader_u16(reader);
	uint32_t length_bits = 12;
	size_t done = (size_t)(output->at - output->begin);
	for (size_t reach = 16; reach < done; reach *= 2)
		length_bits--;
	size_t length = (match & ((1u << length_bits) - 1)) + LZNT1_MIN_MATCH;
	return !reader->failed && etl_output_repeat(output, (match >> length_bits) + 1, length);
}

static bool lznt1_chunk(struct reader *reader, struct etl_output *output)
{
	while (reader_left(reader)) {
		uint8_t flags = reader_u8(reader);
		for (int i = 0; i < LZNT1_FLAGS && reader_left(reader); i++, flags >>= 1) {
			if (flags & 1) {
				if (!lznt1_match(reader, output))
					return false;
			} else {
				if (!etl_output_left(output))
					return false;
				*output->at++ = reader_u8(reader);
			}
		}
	}
	return true;
}

/** Bytes that are not packed. */
static bool lznt1_copy(struct reader *reader, struct etl_output *output)
{
	size_t length = reader_left(reader);
	if (length > etl_output_left(output))
		return false;
	memcpy(output->at, reader->data + reader->offset, length);
	output->at += length;
	return true;
}

bool etl_lznt1_unpack(const uint8_t *packed, size_t packed_size, uint8_t *ret, size_t size)
{
	struct reader reader = reader_create(packed, packed_size);
	size_t done = 0;
	for (size_t begin = 0; reader_left(&reader); begin += LZNT1_CHUNK) {
		uint16_t header = reader_u16(&reader);
		if (!header)
			break;
		if (reader.failed || begin > size || (header >> 12 & 7) != LZNT1_SIGNATURE)
			return false;
		memset(ret + done, 0, begin - done);
		size_t room = size - begin < LZNT1_CHUNK ? size - begin : LZNT1_CHUNK;
		struct etl_output output = {ret + begin, ret + begin, ret + begin + room};
		struct reader chunk = reader_sub(&reader, (header & (LZNT1_CHUNK - 1)) + 1u);
		if (reader.failed || !(header & LZNT1_PACKED ? lznt1_chunk(&chunk, &output)
							     : lznt1_copy(&chunk, &output)))
			return false;
		done = begin + (size_t)(output.at - output.begin);
	}
	return done == size && !reader.failed && !reader_left(&reader);
}
