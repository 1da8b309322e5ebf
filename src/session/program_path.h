/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_PROGRAM_PATH_H
#define WPERF_SESSION_PROGRAM_PATH_H

/** Where a program is that a command names, found as child_spawn() finds it. */

#include "base/error.h"

/**
 * @name: a path, or a name to look for in PATH.
 * @ret: to be freed; NULL if there is no such program. Whether it can run is not checked.
 */
struct error *program_path_find(const char *name, char **ret);

#endif
