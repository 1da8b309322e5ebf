/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_STACK_PYTHON_LINES_H
#define WPERF_INTERPRETER_PYTHON_STACK_PYTHON_LINES_H

/**
 * The line table of a code object. Tables are untrusted bytes from the memory of a process;
 * impossible lines become 0.
 */

#include "interpreter/code_position.h"

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

/** Instructions with one position: from @start on, up to @end; in bytes of bytecode. */
struct python_lines_entry {
	uint64_t start, end;
	struct code_position position;
};

/** Iterates over a table; entries are ascending and without gaps. */
struct python_lines_cursor {
	const struct python_lines *lines;
	size_t offset;    /* private */
	uint64_t address; /* private: where the last entry ended */
	int64_t line;     /* private */
	bool is_over;     /* private */
};

struct python_lines_cursor python_lines_begin(const struct python_lines *lines);
bool python_lines_next(struct python_lines_cursor *cursor, struct python_lines_entry *ret);

/** The highest line of all instructions; at least the first line. */
uint32_t python_lines_last(const struct python_lines *lines);

/** The position of the instruction at this offset; for -1 the code object's first line. */
struct code_position python_lines_find(const struct python_lines *lines, int64_t offset);

#endif
