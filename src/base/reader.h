/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_READER_H
#define WPERF_BASE_READER_H

/**
 * Reads untrusted bytes. A reader does not own its buffer, and never reads past the end: a read
 *that does not fit returns zero, does not move, and sets @failed for good. Check it once, at the
 *end of a record:
 *
 *	uint32_t type = reader_u32(&reader);
 *	uint64_t address = reader_u64(&reader);
 *	if (reader.failed)
 *		return error_create(ERROR_FAILED, ...);
 *
 * Numbers are little endian unless @big_endian is set.
 */

#include "base/byte_order.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reader {
	const uint8_t *data;
	size_t size;
	size_t offset;
	bool big_endian;
	bool failed;
};

static inline void reader_init(struct reader *reader, const void *data, size_t size)
{
	// An empty buffer may be NULL, but arithmetic on NULL is undefined even with 0.
	reader->data = data ? data : (const void *)"";
	reader->size = size;
	reader->offset = 0;
	reader->big_endian = reader->failed = false;
}

static inline struct reader reader_create(const void *data, size_t size)
{
	struct reader reader;
	reader_init(&reader, data, size);
	return reader;
}

/** The next @length bytes in place, or NULL. */
static inline const void *reader_bytes(struct reader *reader, size_t length)
{
	if (reader->failed || length > reader->size - reader->offset) {
		reader->failed = true;
		return NULL;
	}
	const void *bytes = reader->data + reader->offset;
	reader->offset += length;
	return bytes;
}

static inline uint8_t reader_u8(struct reader *reader)
{
	const uint8_t *bytes = reader_bytes(reader, 1);
	return bytes ? *bytes : 0;
}

static inline uint16_t reader_u16(struct reader *reader)
{
	const void *bytes = reader_bytes(reader, 2);
	return bytes ? byte_order_load16(bytes, reader->big_endian) : 0;
}

static inline uint32_t reader_u32(struct reader *reader)
{
	const void *bytes = reader_bytes(reader, 4);
	return bytes ? byte_order_load32(bytes, reader->big_endian) : 0;
}

static inline uint64_t reader_u64(struct reader *reader)
{
	const void *bytes = reader_bytes(reader, 8);
	return bytes ? byte_order_load64(bytes, reader->big_endian) : 0;
}

/** Private: reader_uleb128() of more than one byte. */
uint64_t reader_long_uleb128(struct reader *reader);

/** Unsigned and signed LEB128; a failure if it has more than 64 bits or 10 bytes. */
static inline uint64_t reader_uleb128(struct reader *reader)
{
	if (!reader->failed && reader->offset < reader->size && reader->data[reader->offset] < 0x80)
		return reader->data[reader->offset++];
	return reader_long_uleb128(reader);
}
int64_t reader_sleb128(struct reader *reader);

/** The string up to the next NUL, in place; the reader moves past the NUL. NULL if there is none.
 */
const char *reader_string(struct reader *reader);

static inline void reader_skip(struct reader *reader, size_t length)
{
	reader_bytes(reader, length);
}

void reader_seek(struct reader *reader, size_t offset);

/** Move to the next multiple of @alignment (a power of two), counted from the buffer's start. */
void reader_align(struct reader *reader, size_t alignment);

/** A reader of the next @length bytes, which this one skips; failed if there are fewer. */
static inline struct reader reader_sub(struct reader *reader, size_t length)
{
	const void *bytes = reader_bytes(reader, length);
	struct reader sub = reader_create(bytes, bytes ? length : 0);
	sub.big_endian = reader->big_endian;
	sub.failed = reader->failed;
	return sub;
}

static inline size_t reader_left(const struct reader *reader)
{
	return reader->failed ? 0 : reader->size - reader->offset;
}

#endif
