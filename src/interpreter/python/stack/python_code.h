/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_STACK_PYTHON_CODE_H
#define WPERF_INTERPRETER_PYTHON_STACK_PYTHON_CODE_H

/**
 * The code objects of a process, each read once: name, file and line table. As memory is reused for
 * other code objects, one is identified by its address and its version word (python_walk.h).
 */

#include "base/container/arena.h"
#include "base/container/hash_table.h"
#include "base/container/string_table.h"
#include "base/error.h"
#include "interpreter/code_budget.h"
#include "interpreter/python/layout/python_runtime.h"
#include "interpreter/python/stack/python_lines.h"
#include "record/interpreted_frame.h"
#include "record/object_copy.h"

#include <stdbool.h>
#include <stdint.h>

struct python_code {
	uint64_t address;
	uint32_t version;
	uint32_t name;           /* an id of the table's strings */
	uint32_t qualified_name; /* with the enclosing class or function; before 3.11 the same as
				    name */
	uint32_t file;
	struct python_lines lines; /* without bytes: not readable */
	uint32_t last_line;
	bool is_coroutine; /* of `async def`, or a generator that can be awaited */
};

/** Where the bytecode begins that a thread of a free-threaded process runs. */
struct python_code_copy {
	uint32_t code, thread; /* the index of the code, the number of the copy */
	uint64_t start;        /* 0: not known */
};

struct python_code_table {
	const struct python_runtime *runtime; /* not owned */
	struct code_budget *budget;           /* not owned */
	uint64_t lines_bytes;                 /* its part of @budget */
	struct arena arena;
	struct string_table strings;
	struct hash_table index;
	struct python_code *items;
	size_t num_items, cap_items;
	struct hash_table copy_index;
	struct python_code_copy *copies;
	size_t num_copies, cap_copies;
	uint64_t num_gone; /* look-ups of code objects that were freed */
};

enum { PYTHON_CODE_NONE = UINT32_MAX };

/** @runtime, @budget: must outlive the table. */
void python_code_table_init(struct python_code_table *table, const struct python_runtime *runtime,
			    struct code_budget *budget);
void python_code_table_deinit(struct python_code_table *table);

/**
 * The code object of a frame. It is read at the first look-up, which should be soon after the
 * sample.
 * @ret: its index in the table; PYTHON_CODE_NONE: it was freed.
 */
struct error *python_code_table_find(struct python_code_table *table,
				     const struct interpreted_frame *frame, uint32_t *ret);

/** The same for code that was freed, out of a copy. Of a long line table only the beginning is in
 *  it: behind that the code has no line. */
struct error *python_code_table_find_copied(struct python_code_table *table,
					    const struct interpreted_frame *frame,
					    const struct object_copy *copy, uint32_t *ret);

/**
 * The offset of a frame's instruction in the bytecode; -1: before the first one, or not known. In
 * free-threaded builds this may read the memory of the process.
 */
int64_t python_code_offset(struct python_code_table *table, uint32_t code,
			   const struct interpreted_frame *frame);

/** The position of a frame in the source; line 0: its instruction has no line. */
struct code_position python_code_position(struct python_code_table *table, uint32_t code,
					  const struct interpreted_frame *frame);

#endif
