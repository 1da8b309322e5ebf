/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_WIDE_TEXT_H
#define WPERF_BASE_WIDE_TEXT_H

/**
 * Windows only: text is UTF-8 inside of wperf and UTF-16 at the system's door. Paths, arguments
 * and variables go through this pair of functions and nothing else. Results are to be freed.
 */

#include "base/error.h"

#include <wchar.h>

/** Text that is not UTF-8 is an error: it could name another file than the one that was meant. */
struct error *wide_from_utf8(const char *text, wchar_t **ret);

/** Half a pair of surrogates, which file names may hold, becomes U+FFFD: it can be shown. */
struct error *utf8_from_wide(const wchar_t *wide, char **ret);

#endif
