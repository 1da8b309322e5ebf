/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PYTHON_PYTHON_CODE_H
#define WPERF_PYTHON_PYTHON_CODE_H

/**
 * The code objects of a process, each read once: what it is called, where it was defined, and
 * which line an instruction is of. Memory is used again for other code: a code object is known by
 * its address and the word that walks give as its version.
 */

#include "base/arena.h"
#include "base/error.h"
#include "base/hash_table.h"
#include "base/string_table.h"
#include "python/python_lines.h"
#include "python/python_runtime.h"
#include "record/python_frame.h"

#include <stdbool.h>
#include <stdint.h>

struct python_code {
	uint64_t address;
	uint32_t version;
	uint32_t name;           /* in the table's strings: the bare name */
	uint32_t qualified_name; /* since 3.11 with what it is in; before the same as name */
	uint32_t file;
	struct python_lines lines; /* without bytes if they could not be read */
	uint32_t last_line;
	uint64_t *copies; /* private: where copies of the bytecode begin, by index */
	uint32_t num_copies;
};

struct python_code_table {
	const struct python_runtime *runtime; /* not owned */
	struct arena arena;
	struct string_table strings;
	struct hash_table index;
	struct python_code *items;
	size_t num_items, cap_items;
	uint64_t num_gone; /* how often there was no such code object (any more) */
};

enum { PYTHON_CODE_NONE = UINT32_MAX };

/** @runtime: copied by nobody; must stay. */
void python_code_table_init(struct python_code_table *table, const struct python_runtime *runtime);
void python_code_table_deinit(struct python_code_table *table);

/**
 * The code object of a frame. Reads it when it is met first, which should be soon.
 * @ret: its index in the table, or PYTHON_CODE_NONE: it is not there any more.
 */
struct error *python_code_table_find(struct python_code_table *table,
				     const struct python_frame *frame, uint32_t *ret);

/**
 * Offset of the instruction of a frame within the bytecode of its code; -1 before the first one,
 * and also where nothing is known. May read the memory of the process, in free-threaded builds.
 */
int64_t python_code_offset(struct python_code_table *table, uint32_t code,
			   const struct python_frame *frame);

/** The place of a frame; line 0: its instruction is of no line. */
struct python_position python_code_position(struct python_code_table *table, uint32_t code,
					    const struct python_frame *frame);

#endif
