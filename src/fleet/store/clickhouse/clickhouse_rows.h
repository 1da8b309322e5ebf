/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_CLICKHOUSE_CLICKHOUSE_ROWS_H
#define WPERF_FLEET_STORE_CLICKHOUSE_CLICKHOUSE_ROWS_H

/**
 * ClickHouse's format RowBinary: numbers little-endian, before texts and arrays their length as
 * LEB128, without anything between columns and rows. Also how texts are written in SQL.
 *
 * What is read is untrusted: a reader that has failed gives zeros and empty texts.
 */

#include "base/reader.h"
#include "base/text/string_builder.h"

#include <stddef.h>
#include <stdint.h>

struct clickhouse_text {
	const char *bytes; /* not ended by NUL; valid as long as the answer */
	size_t size;
};

void clickhouse_rows_add_u8(struct string_builder *rows, uint8_t number);
void clickhouse_rows_add_u16(struct string_builder *rows, uint16_t number);
void clickhouse_rows_add_u32(struct string_builder *rows, uint32_t number);
void clickhouse_rows_add_u64(struct string_builder *rows, uint64_t number);
/** Of texts and arrays. */
void clickhouse_rows_add_length(struct string_builder *rows, size_t length);
void clickhouse_rows_add_text(struct string_builder *rows, const char *text, size_t size);

struct clickhouse_text clickhouse_rows_text(struct reader *rows);
/** The length of an array of numbers of @item_size bytes, which are there. */
size_t clickhouse_rows_length(struct reader *rows, size_t item_size);

/** As a literal of SQL: any bytes. */
void clickhouse_rows_quote(struct string_builder *sql, const char *text);

#endif
