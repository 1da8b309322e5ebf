/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_VALUE_PYTHON_LOCALS_H
#define WPERF_INTERPRETER_PYTHON_VALUE_PYTHON_LOCALS_H

/**
 * The local variables of a frame that have a value, in the order of its code object: arguments,
 * other variables, and those shared with enclosing or inner functions. The body of a module or
 * class has none: its names are in a dict.
 */

#include "base/error.h"
#include "base/text/string_builder.h"
#include "interpreter/python/layout/python_runtime.h"
#include "record/interpreted_frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PYTHON_LOCALS_MAX = 256 }; /* of a frame; the rest is left out */

struct python_local {
	size_t name, value; /* offsets in the text; each ends with NUL */
};

struct python_locals {
	struct python_local items[PYTHON_LOCALS_MAX];
	size_t num_items;
	bool is_cut;                /* there are more */
	struct string_builder text; /* private */
};

#define PYTHON_LOCALS_INIT \
	{                  \
	}

/**
 * Read the variables of another frame.
 * @frame, @address: from python_stack_read_places().
 * @ret: false: the frame has changed or ended.
 */
struct error *python_locals_read(struct python_locals *locals, const struct python_runtime *runtime,
				 const struct interpreted_frame *frame, uint64_t address,
				 bool *ret);
void python_locals_deinit(struct python_locals *locals);

static inline const char *python_locals_name(const struct python_locals *locals, size_t index)
{
	return string_builder_peek(&locals->text) + locals->items[index].name;
}

static inline const char *python_locals_value(const struct python_locals *locals, size_t index)
{
	return string_builder_peek(&locals->text) + locals->items[index].value;
}

#endif
