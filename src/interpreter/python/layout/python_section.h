/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_LAYOUT_PYTHON_SECTION_H
#define WPERF_INTERPRETER_PYTHON_LAYOUT_PYTHON_SECTION_H

/** Finds the sections that CPython has for debuggers and profilers. */

#include "object/object.h"

/** @name: without the prefix of ELF, "PyRuntime". If there is none, the result has no address. */
struct object_bytes python_section_find(struct object *object, const char *name);

#endif
