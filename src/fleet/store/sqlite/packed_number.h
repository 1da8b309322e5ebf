/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_SQLITE_PACKED_NUMBER_H
#define WPERF_FLEET_STORE_SQLITE_PACKED_NUMBER_H

/** Numbers in blobs: ULEB128; signed ones in zigzag, so that small ones are one byte. Unsigned ones
 *  are read with reader_uleb128(). */

#include "base/reader.h"
#include "base/text/string_builder.h"

static inline void packed_number_append(struct string_builder *bytes, uint64_t number)
{
	char buffer[10];
	size_t length = 0;
	for (; number >= 0x80; number >>= 7)
		buffer[length++] = (char)(number | 0x80);
	buffer[length++] = (char)number;
	string_builder_append_n(bytes, buffer, length);
}

static inline void packed_number_append_signed(struct string_builder *bytes, int64_t number)
{
	packed_number_append(bytes, (uint64_t)number << 1 ^ (uint64_t)(number >> 63));
}

static inline int64_t packed_number_read_signed(struct reader *reader)
{
	uint64_t number = reader_uleb128(reader);
	return (int64_t)(number >> 1 ^ (0 - (number & 1)));
}

#endif
