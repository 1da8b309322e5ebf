/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_OS_ENVIRONMENT_H
#define WPERF_BASE_OS_ENVIRONMENT_H

/** Environment variables, in UTF-8 on every system. */

#include "base/error.h"

/** @ret: to be freed; NULL if there is no such variable, or if it is empty. */
struct error *environment_copy(const char *name, char **ret);

/**
 * The user's cache folder, which may not exist. @ret: to be freed; NULL if the environment does
 * not name one.
 */
struct error *environment_cache_folder(char **ret);

/**
 * wperf's own folder for what programs that run all the time keep; it may not exist. Of the system
 * for root. @ret: an absolute path, to be freed; NULL if the environment does not name one.
 */
struct error *environment_state_folder(char **ret);

#endif
