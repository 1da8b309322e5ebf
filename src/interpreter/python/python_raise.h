/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_PYTHON_RAISE_H
#define WPERF_INTERPRETER_PYTHON_PYTHON_RAISE_H

/** Where CPython raises exceptions: each `raise` of a program and each error of C code comes along
 *  there, with the exception's type as the second argument. */

#include "object/object.h"

#include <stdbool.h>
#include <stdint.h>

/** @ret: linked address of the function. False: it has none, or none that can be found. */
bool python_raise_find(struct object *object, uint64_t *ret);

#endif
