/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PYTHON_PYTHON_VALUE_H
#define WPERF_PYTHON_PYTHON_VALUE_H

/**
 * An object of Python in the memory of a process, as repr() would write it: None, bool, int,
 * float, str, bytes, list, tuple, dict, set and frozenset with what they hold. Nothing of the
 * process is run: whatever else there is, also subclasses of these, is `<module.type at 0x...>`.
 *
 * The object may change meanwhile or be none at all: any bytes are fine. Long ones are cut:
 * `[1, 2, ... 998 more]`, `'abc'... 40 more`, `<int of 5000 bits>`.
 */

#include "base/string_builder.h"
#include "python/python_runtime.h"

#include <stdint.h>

enum {
	PYTHON_VALUE_MAX_ITEMS = 10, /* of each list, dict, ... */
	PYTHON_VALUE_MAX_CHARACTERS = 100,
	PYTHON_VALUE_MAX_DEPTH = 3,
	PYTHON_VALUE_MAX_BYTES = 1000, /* of the text; items behind it are left out */
};

void python_value_append(const struct python_runtime *runtime, uint64_t object,
			 struct string_builder *text);

/** What a variable that is shared with inner functions holds; @object if it is none; 0: nothing. */
uint64_t python_value_in_cell(const struct python_runtime *runtime, uint64_t object);

#endif
