/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_LIBRARY_COMPAT_COMPAT_TEXT_H
#define WPERF_LIBRARY_COMPAT_COMPAT_TEXT_H

/** Between UTF-8 and wchar_t, which is UTF-16 on Windows and a code point on Linux. */

#include "base/container/arena.h"

#include <wchar.h>

/** A copy of @text of at most @max characters with its end; returns their number without it. */
size_t compat_text_fill(const char *text, wchar_t *ret, size_t max);

/** NULL for NULL, and without memory. */
const wchar_t *compat_text_wide(struct arena *arena, const char *text);
/** What is no character becomes U+FFFD. NULL for NULL, and without memory. */
char *compat_text_utf8(struct arena *arena, const wchar_t *wide);

#endif
