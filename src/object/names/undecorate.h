/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_NAMES_UNDECORATE_H
#define WPERF_OBJECT_NAMES_UNDECORATE_H

/**
 * Names of C++ as Microsoft's compilers decorate them ("?f@ns@@YAXH@Z"), in the words of their
 * programmers.
 */

#include "base/error.h"

enum undecorate_style {
	UNDECORATE_NAME,        /* "ns::f(int)": as names of other compilers are shown */
	UNDECORATE_DECLARATION, /* "void __cdecl ns::f(int)": all that the name says */
};

/** @ret: to be freed; NULL if @name is not decorated so, or in a way that is not known. */
struct error *undecorate(const char *name, enum undecorate_style style, char **ret);

#endif
