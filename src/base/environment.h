/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_ENVIRONMENT_H
#define WPERF_BASE_ENVIRONMENT_H

/** Variables of the environment, in UTF-8 on every system. */

#include "base/error.h"

/** @ret: to be freed; NULL if there is no such variable, or if it is empty. */
struct error *environment_copy(const char *name, char **ret);

/**
 * The user's folder for what can be fetched again. @ret: to be freed; NULL if the environment
 * names none. It need not be there.
 */
struct error *environment_cache_folder(char **ret);

#endif
