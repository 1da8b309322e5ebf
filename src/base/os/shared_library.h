/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_OS_SHARED_LIBRARY_H
#define WPERF_BASE_OS_SHARED_LIBRARY_H

/**
 * An optional library that is loaded when it is needed. wperf-static has some linked in, and can
 * load no others (shared_library_linked.c).
 *
 * On Windows, only the folder of wperf.exe and the system folder are searched: the current folder
 * and PATH may have libraries of an attacker.
 */

#include <stdbool.h>

/** NULL if it cannot be loaded. */
void *shared_library_open(const char *name);

/** @ret: a function pointer. False, and NULL in it, if there is no such function. */
bool shared_library_find(void *library, const char *function, void *ret);

/** Accepts NULL. */
void shared_library_close(void *library);

/** What to do where a library is missing: what @install says, if that would help. */
const char *shared_library_hint(const char *install);

#endif
