/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_EVAL_LOOPS_H
#define WPERF_INTERPRETER_EVAL_LOOPS_H

/**
 * The C functions that run interpreted code, of each module with an interpreter. Reports replace
 * their frames with the lines that they run. A module is read at the first address in it. In a
 * stripped file they have no symbol; wperf then names them "[python3.8 interpreter loop]".
 */

#include "base/container/string_table.h"
#include "base/error.h"
#include "symbols/module_file.h"
#include "symbols/nameless_function.h"
#include "symbols/symbolizer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct eval_loop; /* private */
struct interpreter_ops;

/* With tail calls, each instruction has a function; compilers put parts of functions elsewhere. */
enum { EVAL_LOOP_MAX_RANGES = 272 };

/** These functions of one file: ranges relative to its image, sorted by address. */
struct eval_loop_ranges {
	struct symbolizer_range items[EVAL_LOOP_MAX_RANGES];
	size_t num_items;
};

bool eval_loop_ranges_hold(const struct eval_loop_ranges *ranges, uint64_t address);

struct eval_loops {
	struct module_file_search search; /* where files of modules are searched */
	struct string_table paths;
	struct eval_loop *items;
	size_t num_items, cap_items;
};

#define EVAL_LOOPS_INIT \
	{               \
	}

void eval_loops_deinit(struct eval_loops *loops);

/** @ret: the number of the module; the same for the same module. Its path is copied. */
struct error *eval_loops_add(struct eval_loops *loops, const struct interpreter_ops *ops,
			     const struct module *module, uint32_t *ret);

/** Is this address, relative to the module's image, in such a function? */
bool eval_loops_hold(struct eval_loops *loops, uint32_t module, uint64_t address);

/** The ranges of a module; valid until the next eval_loops_add(). */
const struct eval_loop_ranges *eval_loops_ranges(struct eval_loops *loops, uint32_t module);

enum { EVAL_LOOPS_NAME_SIZE = NAMELESS_FUNCTION_NAME_SIZE };

/** The name of such functions without a symbol. @path: of their file. */
void eval_loops_make_name(const char *path, char ret[static EVAL_LOOPS_NAME_SIZE]);

/** Is this the name of such a function, or of one that only calls it? */
bool eval_loops_is_name(const char *symbol);

/** The interpreter whose program or library has this name; or NULL. */
const struct interpreter_ops *eval_loops_interpreter_named(const char *path);

#endif
