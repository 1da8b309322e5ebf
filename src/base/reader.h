/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_READER_H
#define WPERF_BASE_READER_H

/**
 * The only door for bytes from outside. A reader walks over a buffer that it does not own and
 * never reads past its end: a read that does not fit gives zero, moves nothing and makes the
 * reader fail for good. Check once, at the end of a record:
 *
 *	uint32_t type = reader_u32(&reader);
 *	uint64_t address = reader_u64(&reader);
 *	if (reader.failed)
 *		return error_create(ERROR_FAILED, ...);
 *
 * Numbers are little endian unless the reader was told otherwise.
 */

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

struct reader reader_create(const void *data, size_t size);

uint8_t reader_u8(struct reader *reader);
uint16_t reader_u16(struct reader *reader);
uint32_t reader_u32(struct reader *reader);
uint64_t reader_u64(struct reader *reader);

/** Unsigned and signed LEB128; more than 64 bits, or than 10 bytes, is a failure. */
uint64_t reader_uleb128(struct reader *reader);
int64_t reader_sleb128(struct reader *reader);

/** The next @length bytes in place, or NULL. */
const void *reader_bytes(struct reader *reader, size_t length);

/** The string up to the next NUL in place, moved past the NUL; NULL if there is no NUL. */
const char *reader_string(struct reader *reader);

void reader_skip(struct reader *reader, size_t length);
void reader_seek(struct reader *reader, size_t offset);

/** Move to the next multiple of @alignment (a power of two), counted from the buffer's start. */
void reader_align(struct reader *reader, size_t alignment);

/** A reader over the next @length bytes, which this one skips; failed if they are not there. */
struct reader reader_sub(struct reader *reader, size_t length);

static inline size_t reader_left(const struct reader *reader)
{
	return reader->failed ? 0 : reader->size - reader->offset;
}

#endif
