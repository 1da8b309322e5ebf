/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_NAMES_DEMANGLE_H
#define WPERF_OBJECT_NAMES_DEMANGLE_H

/** Names of C++ and Rust as their programmers wrote them, those of Microsoft's compilers included.
 */

#include "base/error.h"

#include <stdbool.h>

/**
 * @ret: to be freed; NULL if @name is not mangled (then it is its own readable form).
 * Names of more than a few thousand characters are left as they are.
 */
struct error *demangle(const char *name, char **ret);

/** The same. @ret_is_too_large: it is left as it is because it would take too long to print, or
 *  become too long: names from outside can be made to. */
struct error *demangle_within(const char *name, char **ret, bool *ret_is_too_large);

#endif
