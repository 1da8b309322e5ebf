/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_PYTHON_LOOPS_H
#define WPERF_INTERPRETER_PYTHON_PYTHON_LOOPS_H

/**
 * The C functions that run bytecode, of each module with an interpreter. Reports replace their
 * frames with the lines of Python that they run. A module is read at the first address in it.
 * In a stripped file they have no symbol; wperf then names them "[python3.8 interpreter loop]".
 */

#include "base/container/string_table.h"
#include "base/error.h"
#include "interpreter/python/layout/python_opcodes.h"
#include "symbols/module_file.h"
#include "symbols/nameless_function.h"
#include "symbols/symbolizer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct python_loop; /* private */

enum {
	PYTHON_LOOP_MAX_NAMED = 16, /* compilers put parts of it elsewhere */
	PYTHON_LOOP_MAX_RANGES = PYTHON_LOOP_MAX_NAMED + PYTHON_NUM_OPCODES,
};

/** These functions of one file: ranges relative to its image, sorted by address. */
struct python_loop_ranges {
	struct symbolizer_range items[PYTHON_LOOP_MAX_RANGES];
	size_t num_items;
};

/** @ret: empty if the file has neither a symbol nor a table of instructions. */
void python_loops_find(struct object *object, struct python_loop_ranges *ret);

bool python_loop_ranges_hold(const struct python_loop_ranges *ranges, uint64_t address);

struct python_loops {
	struct module_file_search search; /* where files of modules are searched */
	struct string_table paths;
	struct python_loop *items;
	size_t num_items, cap_items;
};

#define PYTHON_LOOPS_INIT \
	{                 \
	}

void python_loops_deinit(struct python_loops *loops);

/** Can a file with this name contain an interpreter? Only such files are read. */
bool python_loops_may_be_in(const char *path);

/** Is this the name of an interpreter (python3.8, libpython3.8.so, python38.dll)? In files of
 * packages, a table that looks like the interpreter's may be another one. */
bool python_loops_are_named_in(const char *path);

/** @ret: the number of the module; the same for the same module. Its path is copied. */
struct error *python_loops_add(struct python_loops *loops, const struct module *module,
			       uint32_t *ret);

/** Is this address, relative to the module's image, in such a function? */
bool python_loops_hold(struct python_loops *loops, uint32_t module, uint64_t address);

/** The ranges of a module; valid until the next python_loops_add(). */
const struct python_loop_ranges *python_loops_ranges(struct python_loops *loops, uint32_t module);

enum { PYTHON_LOOPS_NAME_SIZE = NAMELESS_FUNCTION_NAME_SIZE };

/** The name of such functions without a symbol. @path: of their file. */
void python_loops_make_name(const char *path, char ret[static PYTHON_LOOPS_NAME_SIZE]);

/** Is this the name of such a function, or of one that only calls it? */
bool python_loops_is_name(const char *symbol);

#endif
