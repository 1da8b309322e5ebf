// SPDX-License-Identifier: Apache-2.0
// Input: a byte for the format, four for the first line, then a table of lines.

#include "base/reader.h"
#include "interpreter/python/stack/python_lines.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int is_possible(const struct code_position *position)
{
	return position->line <= INT32_MAX && position->end_line <= INT32_MAX &&
	       position->column <= INT32_MAX && position->end_column <= INT32_MAX;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct reader reader = reader_create(data, size);
	struct python_lines lines = {.format = reader_u8(&reader) % 3};
	lines.first_line = reader_u32(&reader);
	lines.size = reader_left(&reader);
	lines.bytes = reader_bytes(&reader, lines.size);
	struct python_lines_cursor cursor = python_lines_begin(&lines);
	struct python_lines_entry entry;
	uint64_t end = 0;
	for (size_t num = 0; python_lines_next(&cursor, &entry); num++) {
		if (entry.start != end || entry.end <= entry.start || num > size ||
		    !is_possible(&entry.position))
			abort();
		end = entry.end;
		if (num % 64)
			continue;
		struct code_position found = python_lines_find(&lines, (int64_t)entry.start);
		if (found.line != entry.position.line || found.column != entry.position.column)
			abort();
	}
	return 0;
}
