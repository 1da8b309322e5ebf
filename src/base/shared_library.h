/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_SHARED_LIBRARY_H
#define WPERF_BASE_SHARED_LIBRARY_H

/**
 * A library that is loaded when it is needed, and that wperf can do without.
 *
 * On Windows it is looked for beside wperf.exe and in the system's own folder only: what lies in
 * the current folder or in PATH may be anybody's.
 */

#include <stdbool.h>

/** NULL if it is not there. */
void *shared_library_open(const char *name);

/** @ret: a variable of the function's type; false, and NULL in it, if there is none. */
bool shared_library_find(void *library, const char *function, void *ret);

/** Accepts NULL. */
void shared_library_close(void *library);

#endif
