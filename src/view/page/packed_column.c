// SPDX-License-Identifier: Apache-2.0
#include "view/page/packed_column.h"

// A page can have millions of numbers. Each takes as many bytes as it needs (LEB128 as in DWARF,
// section 7.6), and three bytes are four characters of base64 (RFC 4648). The reader is in
// report_page/report_data.js.
//
// Steps are zigzag-coded, as in Protocol Buffers: the sign is the lowest bit, so that small
// negative steps are small numbers, too.
//
//	values    5  5  300  299
//	as they   05  05  ac 02  ab 02
//	steps     +5  0  +295  -1     zigzag: 0a  00  ce 04  01

struct packed_column packed_column_create(FILE *stream)
{
	return (struct packed_column){.stream = stream};
}

/** Writes the first @num_chars characters of the three bytes in @bits. */
static void packed_column_write_group(FILE *stream, uint32_t bits, unsigned num_chars)
{
	static const char alphabet[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	for (unsigned i = 0; i < num_chars; i++)
		putc(alphabet[(bits >> (18 - 6 * i)) & 63], stream);
}

static void add_byte(struct packed_column *column, uint8_t byte)
{
	column->bits = column->bits << 8 | byte;
	if (++column->num_bytes < 3)
		return;
	packed_column_write_group(column->stream, column->bits, 4);
	column->bits = 0;
	column->num_bytes = 0;
}

void packed_column_add(struct packed_column *column, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		add_byte(column, (uint8_t)(value | 0x80));
	add_byte(column, (uint8_t)value);
}

void packed_column_add_step(struct packed_column *column, uint64_t value)
{
	uint64_t step = value - column->previous;
	column->previous = value;
	packed_column_add(column, step >> 63 ? ~(step << 1) : step << 1);
}

void packed_column_finish(struct packed_column *column)
{
	unsigned left = column->num_bytes;
	if (left > 0) {
		packed_column_write_group(column->stream, column->bits << (24 - 8 * left),
					  left + 1);
		fputs(left == 1 ? "==" : "=", column->stream);
	}
	column->num_bytes = 0;
	column->bits = 0;
}
