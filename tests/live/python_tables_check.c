// SPDX-License-Identifier: Apache-2.0
// Decodes the tables of lines in a file of interpreted_tables.py and compares every instruction.

#include "base/file/file_map.h"
#include "base/reader.h"
#include "interpreter/python/stack/python_lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { UNIT = 2 };

struct counts {
	uint64_t num_tables, num_instructions, num_wrong;
};

static struct code_position read_position(struct reader *reader)
{
	struct code_position position = {.line = reader_u32(reader)};
	position.end_line = reader_u32(reader);
	position.column = reader_u32(reader);
	position.end_column = reader_u32(reader);
	return position;
}

static void complain(uint64_t table, uint64_t offset, struct code_position seen,
		     struct code_position expected)
{
	fprintf(stderr,
		"table %" PRIu64 ", instruction %" PRIu64 ": %u-%u %u-%u instead of %u-%u %u-%u\n",
		table, offset, seen.line, seen.end_line, seen.column, seen.end_column,
		expected.line, expected.end_line, expected.column, expected.end_column);
}

static bool is_same(struct code_position a, struct code_position b)
{
	return a.line == b.line && a.end_line == b.end_line && a.column == b.column &&
	       a.end_column == b.end_column;
}

/** All instructions on the way through, and some by themselves. */
static void check_table(const struct python_lines *lines, struct reader *rows,
			struct counts *counts)
{
	struct python_lines_cursor cursor = python_lines_begin(lines);
	struct python_lines_entry entry = {0};
	for (uint64_t offset = 0; reader_left(rows); offset += UNIT) {
		struct code_position expected = read_position(rows);
		while (offset >= entry.end && python_lines_next(&cursor, &entry))
			;
		struct code_position seen = entry.position;
		if (offset % 64 == 0 && is_same(seen, expected))
			seen = python_lines_find(lines, (int64_t)offset);
		counts->num_instructions++;
		if (!is_same(seen, expected) && counts->num_wrong++ < 10)
			complain(counts->num_tables, offset, seen, expected);
	}
	counts->num_tables++;
}

int main(int argc, char **argv)
{
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	if (argc != 2 || file_map_open(&map, argv[1]))
		return 2;
	struct reader reader = reader_create(map.data, map.size);
	struct counts counts = {0};
	while (reader_left(&reader)) {
		struct python_lines lines = {.format = reader_u32(&reader)};
		lines.first_line = reader_u32(&reader);
		lines.size = reader_u32(&reader);
		uint32_t num_rows = reader_u32(&reader);
		lines.bytes = reader_bytes(&reader, lines.size);
		struct reader rows = reader_sub(&reader, (size_t)num_rows * 16);
		check_table(&lines, &rows, &counts);
	}
	printf("%" PRIu64 " tables, %" PRIu64 " instructions, %" PRIu64 " wrong\n",
	       counts.num_tables, counts.num_instructions, counts.num_wrong);
	return reader.failed || counts.num_wrong || !counts.num_tables;
}
