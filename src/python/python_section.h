/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PYTHON_PYTHON_SECTION_H
#define WPERF_PYTHON_PYTHON_SECTION_H

/** What CPython puts into sections of their own, for readers from outside. */

#include "object/object.h"

/** @name: as CPython's source has it for Windows, "PyRuntime". No address: there is none. */
struct object_bytes python_section_find(struct object *object, const char *name);

#endif
