/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_FETCH_DEBUGINFOD_H
#define WPERF_OBJECT_FETCH_DEBUGINFOD_H

/**
 * Debug files from the servers that DEBUGINFOD_URLS names, by build-id. Without that variable, or
 * without libdebuginfod, nobody is asked. What was fetched stays in the user's cache. A file that a
 * server with HTTPS has redirected to HTTP is not taken.
 */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Does DEBUGINFOD_URLS name servers? */
bool debuginfod_is_wanted(void);

/** @ret: to be freed; NULL if no server has it. */
struct error *debuginfod_fetch(const uint8_t *build_id, size_t size, char **ret);

/** The same, given up once @goes_on says no; it is asked from time to time. */
struct error *debuginfod_fetch_while(const uint8_t *build_id, size_t size,
				     bool (*goes_on)(void *data), void *data, char **ret);

#endif
