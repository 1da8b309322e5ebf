// SPDX-License-Identifier: Apache-2.0

#include "base/reader.h"

#include <string.h>

// What is inline in the header is called for every field. Here is the rest, first of all LEB128
// (DWARF 5, section 7.6): groups of seven bits, the lowest first; the top bit of a byte says that
// another one follows.

// 64 bits in groups of seven: nine groups and one bit.
enum { LEB128_MAX_BYTES = 10 };

// Length of the LEB128 number at the reader's place; fails and gives 0 if it does not end.
static size_t leb128_length(struct reader *reader)
{
	size_t most = reader_left(reader);
	if (most > LEB128_MAX_BYTES)
		most = LEB128_MAX_BYTES;
	for (size_t i = 0; i < most; i++) {
		if (!(reader->data[reader->offset + i] & 0x80))
			return i + 1;
	}
	reader->failed = true;
	return 0;
}

static uint64_t leb128_groups(const uint8_t *bytes, size_t length)
{
	uint64_t value = 0;
	for (size_t i = 0; i < length; i++)
		value |= (uint64_t)(bytes[i] & 0x7f) << (7 * i);
	return value;
}

uint64_t reader_long_uleb128(struct reader *reader)
{
	size_t length = leb128_length(reader);
	const uint8_t *bytes = reader->data + reader->offset;
	// Nine groups are 63 bits: one bit is left for the tenth.
	if (length == LEB128_MAX_BYTES && bytes[length - 1] > 1)
		reader->failed = true;
	if (reader->failed)
		return 0;
	reader->offset += length;
	return leb128_groups(bytes, length);
}

int64_t reader_sleb128(struct reader *reader)
{
	size_t length = leb128_length(reader);
	const uint8_t *bytes = reader->data + reader->offset;
	// The one bit of the last group is the sign, the other six repeat it.
	if (length == LEB128_MAX_BYTES && bytes[length - 1] != 0 && bytes[length - 1] != 0x7f)
		reader->failed = true;
	if (reader->failed)
		return 0;
	reader->offset += length;
	uint64_t value = leb128_groups(bytes, length);
	// The top bit of the last group is the sign, and fills the places above.
	if (length < LEB128_MAX_BYTES && bytes[length - 1] & 0x40)
		value |= UINT64_MAX << (7 * length);
	return (int64_t)value;
}

const char *reader_string(struct reader *reader)
{
	const uint8_t *start = reader->data + reader->offset;
	const uint8_t *end = memchr(start, 0, reader_left(reader));
	if (!end) {
		reader->failed = true;
		return NULL;
	}
	return reader_bytes(reader, (size_t)(end - start) + 1);
}

void reader_seek(struct reader *reader, size_t offset)
{
	if (reader->failed || offset > reader->size) {
		reader->failed = true;
		return;
	}
	reader->offset = offset;
}

void reader_align(struct reader *reader, size_t alignment)
{
	reader_skip(reader, -reader->offset & (alignment - 1));
}
