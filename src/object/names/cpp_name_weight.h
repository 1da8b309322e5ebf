/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_NAMES_CPP_NAME_WEIGHT_H
#define WPERF_OBJECT_NAMES_CPP_NAME_WEIGHT_H

/**
 * How much work it is to print a demangled C++ name.
 *
 * Parts of a mangled name refer to earlier parts, and template parameters to arguments, so that
 * some hundred characters can stand for more text than any disk holds. libiberty prints until it is
 * done. Here each part is weighed once for each list of template arguments that it is printed with.
 */

#include <libiberty/demangle.h>
#include <stdbool.h>

/**
 * May its parser read the name? It reads the arguments of a template parameter twice where that is
 * converted to, which doubles with each level.
 */
bool cpp_name_is_parseable(const char *mangled);

/** May the name, parsed from @mangled, be printed? False also without memory. */
bool cpp_name_is_printable(const struct demangle_component *name, const char *mangled);

#endif
