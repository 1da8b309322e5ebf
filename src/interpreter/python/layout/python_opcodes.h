/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_LAYOUT_PYTHON_OPCODES_H
#define WPERF_INTERPRETER_PYTHON_LAYOUT_PYTHON_OPCODES_H

/**
 * Finds the interpreter's jump table: the addresses of the code for each of 256 opcodes, which are
 * labels in one function or, with tail calls, functions. It is recognised by its content, so that
 * stripped files work: all unused opcodes have the same address, the others different ones.
 */

#include "object/object.h"

#include <stdbool.h>
#include <stdint.h>

enum { PYTHON_NUM_OPCODES = 256 };

/**
 * @ret: the addresses, relative to the image, sorted; set only if there is such a table. Builds
 * that use `switch` have none.
 */
bool python_opcodes_find(struct object *object, uint64_t ret[static PYTHON_NUM_OPCODES]);

#endif
