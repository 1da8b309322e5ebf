/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_LINE_IMAGE_BYTE_WRITER_H
#define WPERF_OBJECT_LINE_IMAGE_BYTE_WRITER_H

/** Numbers and texts as ELF and DWARF have them, little endian, behind what a builder has. */

#include "base/text/string_builder.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline void byte_writer_put(struct string_builder *bytes, const void *data, size_t size)
{
	string_builder_append_n(bytes, data, size);
}

static inline void byte_writer_u8(struct string_builder *bytes, uint8_t value)
{
	byte_writer_put(bytes, &value, sizeof(value));
}

static inline void byte_writer_u16(struct string_builder *bytes, uint16_t value)
{
	byte_writer_put(bytes, &value, sizeof(value));
}

static inline void byte_writer_u32(struct string_builder *bytes, uint32_t value)
{
	byte_writer_put(bytes, &value, sizeof(value));
}

static inline void byte_writer_u64(struct string_builder *bytes, uint64_t value)
{
	byte_writer_put(bytes, &value, sizeof(value));
}

static inline void byte_writer_text(struct string_builder *bytes, const char *text)
{
	byte_writer_put(bytes, text, strlen(text) + 1);
}

/** Numbers of variable size, as DWARF has them. */
static inline void byte_writer_number(struct string_builder *bytes, uint32_t value)
{
	for (; value >= 0x80; value >>= 7)
		byte_writer_u8(bytes, (uint8_t)(value | 0x80));
	byte_writer_u8(bytes, (uint8_t)value);
}

static inline void byte_writer_signed(struct string_builder *bytes, int64_t value)
{
	for (; value < -0x40 || value >= 0x40; value >>= 7)
		byte_writer_u8(bytes, (uint8_t)((value & 0x7f) | 0x80));
	byte_writer_u8(bytes, (uint8_t)(value & 0x7f));
}

static inline void byte_writer_align(struct string_builder *bytes, size_t alignment)
{
	while (!bytes->failed && bytes->length % alignment)
		byte_writer_u8(bytes, 0);
}

/** A size that stands before what it is of. */
static inline void byte_writer_set_u32(struct string_builder *bytes, size_t offset, size_t value)
{
	uint32_t size = (uint32_t)value;
	if (!bytes->failed)
		memcpy(bytes->text + offset, &size, sizeof(size));
}

#endif
