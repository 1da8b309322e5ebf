/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PYTHON_PYTHON_OPCODES_H
#define WPERF_PYTHON_PYTHON_OPCODES_H

/**
 * Where an interpreter has the code of each instruction of its bytecode: a table of 256 addresses,
 * of labels in one function or, with tail calls, of functions. It is found by its looks, as also
 * stripped files have it: what is no instruction has the same address everywhere, the others have
 * their own.
 */

#include "object/object.h"

#include <stdbool.h>
#include <stdint.h>

enum { PYTHON_NUM_OPCODES = 256 };

/**
 * @ret: the addresses, relative to the image, sorted; set only if there is such a table. Builds
 * that jump by a `switch` have none.
 */
bool python_opcodes_find(struct object *object, uint64_t ret[static PYTHON_NUM_OPCODES]);

#endif
