/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_VALUE_PYTHON_TYPE_H
#define WPERF_INTERPRETER_PYTHON_VALUE_PYTHON_TYPE_H

/** The type of a Python object. */

#include "base/text/string_builder.h"
#include "interpreter/python/layout/python_runtime.h"

#include <stdbool.h>
#include <stdint.h>

enum { PYTHON_TYPE_NAME_SIZE = 128 };

struct python_type {
	uint64_t address;
	uint64_t flags;
	char name[PYTHON_TYPE_NAME_SIZE]; /* of the C struct; truncated if longer */
};

/** False: not an object, or its type has no name. */
bool python_type_read(const struct python_runtime *runtime, uint64_t object,
		      struct python_type *ret);

/** Is it the built-in type of this name, and not a class that was created at run time? */
bool python_type_is(const struct python_type *type, const char *name);

/** Append `module.name`, or the name if the type has no module. */
void python_type_append_name(const struct python_runtime *runtime, const struct python_type *type,
			     struct string_builder *text);

#endif
