/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_PYTHON_LOOPS_H
#define WPERF_INTERPRETER_PYTHON_PYTHON_LOOPS_H

/** The C functions of CPython that run bytecode, and the names of files that have them. */

#include "interpreter/eval_loops.h"

#include <stdbool.h>

/** @ret: empty if the file has neither a symbol nor a table of instructions. */
void python_loops_find(struct object *object, struct eval_loop_ranges *ret);

/** Can a file with this name contain an interpreter? Only such files are read. */
bool python_loops_may_be_in(const char *path);

/** Is this the name of an interpreter (python3.8, libpython3.8.so, python38.dll)? In files of
 * packages, a table that looks like the interpreter's may be another one. */
bool python_loops_are_named_in(const char *path);

/** Is this the name of such a function, or of one that only calls it? */
bool python_loops_is_name(const char *symbol);

#endif
