/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_TEXT_WIDE_TEXT_H
#define WPERF_BASE_TEXT_WIDE_TEXT_H

/**
 * Windows only: wperf's strings are UTF-8, those of the system's interfaces UTF-16. Paths,
 * arguments and environment variables are converted here and nowhere else. The caller frees the
 * results.
 */

#include "base/error.h"

#include <wchar.h>

/** Invalid UTF-8 is an error: a replacement character could make it the name of another file. */
struct error *wide_from_utf8(const char *text, wchar_t **ret);

/** Unpaired surrogates, which file names may contain, become U+FFFD: the result is for display. */
struct error *utf8_from_wide(const wchar_t *wide, char **ret);

#endif
