/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_VALUE_PYTHON_VALUE_H
#define WPERF_INTERPRETER_PYTHON_VALUE_PYTHON_VALUE_H

/**
 * Writes a Python object in the memory of a process as repr() does: None, bool, int, float, str,
 * bytes, list, tuple, dict, set and frozenset with their items. No code of the process is run: all
 * other objects, also of subclasses, become `<module.type at 0x...>`.
 *
 * The memory is untrusted, and may change meanwhile. Long values are shortened:
 * `[1, 2, ... 998 more]`, `'abc'... 40 more`, `<int of 5000 bits>`.
 */

#include "base/text/string_builder.h"
#include "interpreter/python/layout/python_runtime.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	PYTHON_VALUE_MAX_ITEMS = 10, /* of each list, dict, ... */
	PYTHON_VALUE_MAX_CHARACTERS = 100,
	PYTHON_VALUE_MAX_DEPTH = 3,
	PYTHON_VALUE_MAX_BYTES = 1000, /* of the text; further items are left out */
};

void python_value_append(const struct python_runtime *runtime, uint64_t object,
			 struct string_builder *text);

/** An int that is not negative, and has at most 64 bits. False: another object. The type is not
 *  checked. */
bool python_value_read_index(const struct python_runtime *runtime, uint64_t object, uint64_t *ret);

/** The value of a cell, which is a variable shared with inner functions; 0: it is empty. @object if
 *  it is not a cell. */
uint64_t python_value_in_cell(const struct python_runtime *runtime, uint64_t object);

#endif
