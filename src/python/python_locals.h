/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PYTHON_PYTHON_LOCALS_H
#define WPERF_PYTHON_PYTHON_LOCALS_H

/**
 * The local variables of one frame that have a value, in the order of its code object: arguments,
 * others, and those that are shared with functions around or inside. The body of a module or of a
 * class has none: what it names is in a dict.
 */

#include "base/error.h"
#include "base/string_builder.h"
#include "python/python_runtime.h"
#include "record/python_frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PYTHON_LOCALS_MAX = 256 }; /* of a frame; those behind are left out */

struct python_local {
	size_t name, value; /* where they begin in the text; each ends with NUL */
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
 * Read them anew.
 * @frame, @address: as python_stack_read() found it, and where.
 * @ret: false: the frame runs on, or is over.
 */
struct error *python_locals_read(struct python_locals *locals, const struct python_runtime *runtime,
				 const struct python_frame *frame, uint64_t address, bool *ret);
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
