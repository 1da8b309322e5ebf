/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SYMBOLS_READABLE_NAME_H
#define WPERF_SYMBOLS_READABLE_NAME_H

/** Names as tables show them. */

#include <stdbool.h>
#include <stddef.h>

/**
 * How much of a demangled name is without its list of parameters and what follows it:
 * "ns::f<int>" of "ns::f<int>(int, char const*) const". All of it if there is no such list, or the
 * name is of a form that is not understood.
 */
size_t readable_name_length(const char *demangled);

/**
 * Where the name begins in these first @length characters: functions of templates, and no others,
 * are mangled with the type that they return, "void ns::f<int>(int)".
 */
size_t readable_name_start(const char *demangled, size_t length);

/** A name that an interpreter gives its code: "py::function:/path/of/file.py". */
struct interpreted_name {
	const char *function; /* function_length characters */
	size_t function_length;
	const char *file;
};

/** @mark: what such names begin with; NULL: there are none. False if @name is not of that form. */
bool readable_name_parse_interpreted(const char *name, const char *mark,
				     struct interpreted_name *ret);

#endif
