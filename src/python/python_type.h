/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PYTHON_PYTHON_TYPE_H
#define WPERF_PYTHON_PYTHON_TYPE_H

/** The type of an object of Python. */

#include "base/string_builder.h"
#include "python/python_runtime.h"

#include <stdbool.h>
#include <stdint.h>

enum { PYTHON_TYPE_NAME_SIZE = 128 };

struct python_type {
	uint64_t address;
	uint64_t flags;
	char name[PYTHON_TYPE_NAME_SIZE]; /* as C has it; longer ones are cut */
};

/** False if there is no such object, or what it says its type is has no name. */
bool python_type_read(const struct python_runtime *runtime, uint64_t object,
		      struct python_type *ret);

/** Is it the type of the interpreter with this name, and none that was made at run time? */
bool python_type_is(const struct python_type *type, const char *name);

/** `module.name`; the name alone if the type does not say its module. */
void python_type_append_name(const struct python_runtime *runtime, const struct python_type *type,
			     struct string_builder *text);

#endif
