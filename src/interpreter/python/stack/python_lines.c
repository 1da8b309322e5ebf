// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/stack/python_lines.h"

// Three formats, one cursor. Up to 3.9: co_lnotab, pairs of increments (Objects/lnotab_notes.txt).
// 3.10: co_linetable of PEP 626, pairs of a length and a line increment. Since 3.11: the location
// table of PEP 657, entries of variable length with columns (Objects/locations.md, later
// InternalDocs/code_objects.md). Each next_*() function decodes one entry; python_lines_find() and
// python_lines_last() loop over all.
//
// There is no index: a table is decoded from its start, and users remember the result. The bytes
// may be anything. Reading beyond the end gives 0, lines saturate (move_line()), and addresses only
// grow.

enum { MAX_LINE = INT32_MAX };

/** A line that a table made up is none. */
static uint32_t line_number(int64_t line)
{
	return line > 0 && line <= MAX_LINE ? (uint32_t)line : 0;
}

/** Stays where it is at the ends, so that no sum of steps overflows. */
static void move_line(struct python_lines_cursor *cursor, int64_t step)
{
	enum { FAR = 1 << 30 };
	const int64_t most = INT64_C(1) << 40;
	step = step > FAR ? FAR : step < -FAR ? -FAR : step;
	int64_t line = cursor->line + step;
	cursor->line = line > most ? most : line < -most ? -most : line;
}

static size_t python_lines_left(const struct python_lines_cursor *cursor)
{
	return cursor->lines->size - cursor->offset;
}

/** 0 at the end of the table. */
static uint8_t next_byte(struct python_lines_cursor *cursor)
{
	return python_lines_left(cursor) ? cursor->lines->bytes[cursor->offset++] : 0;
}

static struct python_lines_entry entry_until(struct python_lines_cursor *cursor, uint64_t end,
					     uint32_t line)
{
	struct python_lines_entry entry = {
		.start = cursor->address,
		.end = end,
		.position = {.line = line, .end_line = line},
	};
	cursor->address = end;
	return entry;
}

// Pairs of steps, of the address and then of the line; steps too large for a byte are several.
// The last line goes on to the end of the code, which the table does not know.
static bool python_lines_next_step(struct python_lines_cursor *cursor,
				   struct python_lines_entry *ret)
{
	while (python_lines_left(cursor) >= 2) {
		uint64_t end = cursor->address + next_byte(cursor);
		uint32_t line = line_number(cursor->line);
		move_line(cursor, (int8_t)next_byte(cursor));
		if (end == cursor->address)
			continue;
		*ret = entry_until(cursor, end, line);
		return true;
	}
	cursor->is_over = true;
	*ret = entry_until(cursor, UINT64_MAX, line_number(cursor->line));
	return true;
}

// Pairs of a length and a step of the line before it.
static bool next_range(struct python_lines_cursor *cursor, struct python_lines_entry *ret)
{
	enum { NO_LINE = -128 }; // PEP 626: an instruction that no line of the source made
	while (python_lines_left(cursor) >= 2) {
		uint64_t end = cursor->address + next_byte(cursor);
		int8_t step = (int8_t)next_byte(cursor);
		if (step != NO_LINE)
			move_line(cursor, step);
		if (end == cursor->address)
			continue;
		*ret = entry_until(cursor, end, step == NO_LINE ? 0 : line_number(cursor->line));
		return true;
	}
	return false;
}

/** Six bits a byte, the lowest first; what does not fit is cut. */
static uint64_t next_number(struct python_lines_cursor *cursor)
{
	enum { MORE = 0x40, BITS = 6, MAX_BITS = 60 };
	uint64_t number = 0;
	unsigned shift = 0;
	uint8_t byte;
	do {
		byte = next_byte(cursor);
		if (shift < MAX_BITS)
			number |= (uint64_t)(byte & (MORE - 1)) << shift;
		shift += BITS;
	} while (byte & MORE && python_lines_left(cursor));
	return number;
}

static int64_t next_signed(struct python_lines_cursor *cursor)
{
	uint64_t number = next_number(cursor);
	return number & 1 ? -(int64_t)(number >> 1) : (int64_t)(number >> 1);
}

/** @column: from 0 on; -1: none. */
static uint32_t column_number(int64_t column)
{
	return column >= 0 && column < MAX_LINE ? (uint32_t)column + 1 : 0;
}

// _PyCodeLocationInfoKind of Include/cpython/code.h; 15 is "no location".
enum location_code {
	LOCATION_SHORT_MAX = 9,
	LOCATION_ONE_LINE = 10, /* and two after it: that many lines later */
	LOCATION_ONE_LINE_MAX = 12,
	LOCATION_NO_COLUMNS = 13,
	LOCATION_LONG = 14,
};

static void set_columns(struct code_position *position, int64_t column, int64_t end_column)
{
	position->column = column_number(column);
	position->end_column = column_number(end_column);
}

static struct code_position next_position(struct python_lines_cursor *cursor, unsigned code)
{
	struct code_position position = {0};
	int64_t num_lines = 0;
	if (code <= LOCATION_SHORT_MAX) {
		uint8_t byte = next_byte(cursor);
		unsigned column = code << 3 | byte >> 4;
		set_columns(&position, column, column + (byte & 15));
	} else if (code <= LOCATION_ONE_LINE_MAX) {
		move_line(cursor, code - LOCATION_ONE_LINE);
		uint8_t column = next_byte(cursor);
		set_columns(&position, column, next_byte(cursor));
	} else if (code == LOCATION_NO_COLUMNS) {
		move_line(cursor, next_signed(cursor));
	} else if (code == LOCATION_LONG) {
		move_line(cursor, next_signed(cursor));
		num_lines = (int64_t)(next_number(cursor) & INT32_MAX);
		int64_t column = (int64_t)next_number(cursor) - 1;
		set_columns(&position, column, (int64_t)next_number(cursor) - 1);
	} else {
		return position;
	}
	position.line = line_number(cursor->line);
	position.end_line = line_number(cursor->line + num_lines);
	return position;
}

static bool next_location(struct python_lines_cursor *cursor, struct python_lines_entry *ret)
{
	enum { UNIT = 2 }; // bytes of an instruction or of one of its caches
	if (!python_lines_left(cursor))
		return false;
	uint8_t first = next_byte(cursor);
	// Bit 7 is always set; bits 3 to 6 are the code, bits 0 to 2 the length in units - 1.
	uint64_t end = cursor->address + (uint64_t)UNIT * ((first & 7U) + 1);
	struct code_position position = next_position(cursor, first >> 3 & 15);
	*ret = entry_until(cursor, end, 0);
	ret->position = position;
	return true;
}

struct python_lines_cursor python_lines_begin(const struct python_lines *lines)
{
	return (struct python_lines_cursor){.lines = lines, .line = lines->first_line};
}

bool python_lines_next(struct python_lines_cursor *cursor, struct python_lines_entry *ret)
{
	if (cursor->is_over)
		return false;
	switch (cursor->lines->format) {
	case PYTHON_LINES_STEPS:
		return python_lines_next_step(cursor, ret);
	case PYTHON_LINES_RANGES:
		return next_range(cursor, ret);
	case PYTHON_LINES_LOCATIONS:
		return next_location(cursor, ret);
	}
	return false;
}

struct code_position python_lines_find(const struct python_lines *lines, int64_t offset)
{
	if (offset < 0)
		return (struct code_position){
			.line = line_number(lines->first_line),
			.end_line = line_number(lines->first_line),
		};
	struct python_lines_cursor cursor = python_lines_begin(lines);
	struct python_lines_entry entry;
	while (python_lines_next(&cursor, &entry))
		if ((uint64_t)offset < entry.end)
			return entry.position;
	return (struct code_position){0};
}

uint32_t python_lines_last(const struct python_lines *lines)
{
	struct python_lines_cursor cursor = python_lines_begin(lines);
	struct python_lines_entry entry;
	uint32_t last = line_number(lines->first_line);
	while (python_lines_next(&cursor, &entry))
		if (entry.position.line > last)
			last = entry.position.line;
	return last;
}
