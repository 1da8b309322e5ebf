/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_PROCESS_SEARCH_H
#define WPERF_PROCESS_PROCESS_SEARCH_H

/** Running processes by name. */

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/**
 * All processes but our own whose program file, or first thread, is called @name; with a slash in
 * it, whose program file is that one. On Windows upper and lower case are the same, ".exe" may be
 * left out, and the slash may be a backslash. @ret: ascending, to be freed; none is no error.
 */
struct error *process_search(const char *name, uint32_t **ret, size_t *ret_num);

#endif
