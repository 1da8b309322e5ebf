/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_PROGRAM_PROGRAM_PATH_H
#define WPERF_SESSION_PROGRAM_PROGRAM_PATH_H

/** The path of a command's program, found as child_spawn() finds it. */

#include "base/error.h"

/**
 * @name: a path, or a name to search in PATH.
 * @ret: to be freed; NULL if there is no such program. Whether it can run is not checked.
 */
struct error *program_path_find(const char *name, char **ret);

#endif
