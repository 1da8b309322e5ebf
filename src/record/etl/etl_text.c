// SPDX-License-Identifier: Apache-2.0

#include "record/etl/etl_text.h"

#include "base/text/utf8.h"

#include <string.h>

enum {
	UNIT_SIZE = 2, // of UTF-16
	SURROGATES = 0xd800,
	LOW_SURROGATES = 0xdc00,
	SURROGATES_END = 0xe000,
	BEYOND_BMP = 0x10000,
	HALF_BITS = 10,
};

static uint32_t etl_text_unit(struct etl_text text, size_t offset)
{
	return byte_order_load16(text.bytes + offset, false);
}

struct etl_text etl_text_wide(struct reader *reader)
{
	struct etl_text text = {reader->data + reader->offset, 0, true};
	while (reader_left(reader) >= UNIT_SIZE && reader_u16(reader) != 0)
		text.size += UNIT_SIZE;
	return text;
}

struct etl_text etl_text_ansi(struct reader *reader)
{
	struct etl_text text = {reader->data + reader->offset, 0, false};
	size_t left = reader_left(reader);
	const uint8_t *end = left ? memchr(text.bytes, 0, left) : NULL;
	text.size = end ? (size_t)(end - text.bytes) : left;
	reader_skip(reader, end ? text.size + 1 : left);
	return text;
}

struct etl_text etl_text_field(struct reader *reader, size_t size)
{
	struct reader field = reader_sub(reader, size);
	return etl_text_wide(&field);
}

static uint32_t etl_text_next(struct etl_text text, size_t *offset)
{
	uint32_t unit = etl_text_unit(text, *offset);
	*offset += UNIT_SIZE;
	if (unit < SURROGATES || unit >= SURROGATES_END)
		return unit;
	if (unit >= LOW_SURROGATES || text.size - *offset < UNIT_SIZE)
		return UTF8_REPLACEMENT;
	uint32_t low = etl_text_unit(text, *offset);
	if (low < LOW_SURROGATES || low >= SURROGATES_END)
		return UTF8_REPLACEMENT;
	*offset += UNIT_SIZE;
	return BEYOND_BMP + ((unit - SURROGATES) << HALF_BITS) + (low - LOW_SURROGATES);
}

void etl_text_append(struct string_builder *builder, struct etl_text text)
{
	enum { ASCII_END = 0x80 };
	for (size_t offset = 0; offset < text.size;) {
		uint32_t point = text.is_wide ? etl_text_next(text, &offset) : text.bytes[offset++];
		if (!text.is_wide && point >= ASCII_END)
			point = UTF8_REPLACEMENT;
		char encoded[UTF8_MAX_BYTES];
		string_builder_append_n(builder, encoded, utf8_encode(point, encoded));
	}
}
