/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_SYSTEM_PROCESS_SEARCH_H
#define WPERF_PROCESS_SYSTEM_PROCESS_SEARCH_H

/** Finds running processes by name. */

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/**
 * All processes, except our own, whose program file or first thread has this name; if @name has a
 * slash, whose program file has this path. On Windows case is ignored, ".exe" is optional, and the
 * slash may be a backslash. @ret: ascending, to be freed; finding none is not an error.
 */
struct error *process_search(const char *name, uint32_t **ret, size_t *ret_num);

#endif
