/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PYTHON_PYTHON_LINES_H
#define WPERF_PYTHON_PYTHON_LINES_H

/**
 * The table of a code object that says which line each of its instructions is of. Tables come from
 * the memory of a process: any bytes are fine, and lines that make no sense are 0.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum python_lines_format {
	PYTHON_LINES_STEPS,     /* up to 3.9: co_lnotab */
	PYTHON_LINES_RANGES,    /* 3.10: co_linetable */
	PYTHON_LINES_LOCATIONS, /* since 3.11: co_linetable, with columns */
};

struct python_lines {
	enum python_lines_format format;
	uint32_t first_line; /* of the code object */
	const uint8_t *bytes;
	size_t size;
};

/** Lines and columns count from 1; 0: none, or not known. Columns are bytes of UTF-8. */
struct python_position {
	uint32_t line, end_line;
	uint32_t column, end_column; /* of the first byte, and behind the last one */
};

/** Instructions with one position: from @start on, up to @end; in bytes of bytecode. */
struct python_lines_entry {
	uint64_t start, end;
	struct python_position position;
};

/** A way through a table; entries come by their start, without gaps. */
struct python_lines_cursor {
	const struct python_lines *lines;
	size_t offset;    /* private */
	uint64_t address; /* private: where the last entry ended */
	int64_t line;     /* private */
	bool is_over;     /* private */
};

struct python_lines_cursor python_lines_begin(const struct python_lines *lines);
bool python_lines_next(struct python_lines_cursor *cursor, struct python_lines_entry *ret);

/** The last line that any instruction is of, and at least the first one. */
uint32_t python_lines_last(const struct python_lines *lines);

/** Of the instruction at this offset; before the first one it is the code object's first line. */
struct python_position python_lines_find(const struct python_lines *lines, int64_t offset);

#endif
