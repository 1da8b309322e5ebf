/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_MEMORY_PRELOADING_H
#define WPERF_SOURCE_MEMORY_PRELOADING_H

/** The library that samples from inside a program, and the environment that has it loaded. */

#include "base/error.h"

#include <limits.h>

/** Where it is: beside this program, or where packages put it. The error says what to install. */
struct error *preloading_find(char ret[static PATH_MAX]);

/**
 * Will the loader of the system load it into this program? An error for static programs, those with
 * rights of their own (setuid, capabilities), of another C library, or of another machine.
 * @path: of a program or script that exists.
 */
struct error *preloading_check(const char *path);

/** Our environment with the library and the region in it. @ret: ends with NULL; each string and the
 *  array are freed by preloading_free_environment(). */
struct error *preloading_environment(const char *library, const char *region, char ***ret);
void preloading_free_environment(char **environment);

#endif
