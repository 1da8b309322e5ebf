// SPDX-License-Identifier: Apache-2.0

#include "fleet/store/clickhouse/clickhouse_rows.h"

#include "base/text/ascii.h"

#include <string.h>

void clickhouse_rows_add_u8(struct string_builder *rows, uint8_t number)
{
	string_builder_append_char(rows, (char)number);
}

void clickhouse_rows_add_u16(struct string_builder *rows, uint16_t number)
{
	clickhouse_rows_add_u8(rows, (uint8_t)number);
	clickhouse_rows_add_u8(rows, (uint8_t)(number >> 8));
}

void clickhouse_rows_add_u32(struct string_builder *rows, uint32_t number)
{
	clickhouse_rows_add_u16(rows, (uint16_t)number);
	clickhouse_rows_add_u16(rows, (uint16_t)(number >> 16));
}

void clickhouse_rows_add_u64(struct string_builder *rows, uint64_t number)
{
	char bytes[8];
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(number >> (8 * i));
	string_builder_append_n(rows, bytes, sizeof(bytes));
}

void clickhouse_rows_add_length(struct string_builder *rows, size_t length)
{
	for (; length >= 0x80; length >>= 7)
		clickhouse_rows_add_u8(rows, (uint8_t)(length | 0x80));
	clickhouse_rows_add_u8(rows, (uint8_t)length);
}

void clickhouse_rows_add_text(struct string_builder *rows, const char *text, size_t size)
{
	clickhouse_rows_add_length(rows, size);
	string_builder_append_n(rows, text, size);
}

struct clickhouse_text clickhouse_rows_text(struct reader *rows)
{
	uint64_t size = reader_uleb128(rows);
	const char *bytes = size > SIZE_MAX ? NULL : reader_bytes(rows, (size_t)size);
	if (bytes)
		return (struct clickhouse_text){bytes, (size_t)size};
	rows->failed = true;
	return (struct clickhouse_text){"", 0};
}

size_t clickhouse_rows_length(struct reader *rows, size_t item_size)
{
	uint64_t length = reader_uleb128(rows);
	if (length <= reader_left(rows) / item_size)
		return (size_t)length;
	rows->failed = true;
	return 0;
}

void clickhouse_rows_quote(struct string_builder *sql, const char *text)
{
	string_builder_append_char(sql, '\'');
	for (; *text; text++) {
		// What could mean anything to the parser is written as a number.
		bool is_plain = ascii_is_digit(*text) ||
				(ascii_lower(*text) >= 'a' && ascii_lower(*text) <= 'z') ||
				strchr("-_. ", *text);
		if (is_plain)
			string_builder_append_char(sql, *text);
		else
			string_builder_appendf(sql, "\\x%02x", (unsigned char)*text);
	}
	string_builder_append_char(sql, '\'');
}
