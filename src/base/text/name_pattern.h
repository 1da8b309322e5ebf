/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_TEXT_NAME_PATTERN_H
#define WPERF_BASE_TEXT_NAME_PATTERN_H

/**
 * The pattern of --symbol: `x` is exactly x, `^x` starts with x, `x$` ends with x, `^x$` is
 * exactly x; upper and lower case (ASCII) are the same. Only the first and the last character
 * are special. Every name starts and ends with the empty text, so `^` and `$` match all names;
 * `^$` and the empty pattern match the empty name only.
 *
 * The pattern of `list`: a shell pattern of `*`, `?` and `[a-z]` (`[!a-z]`: none of these; a `]` in
 * the first place is a member) that must match the whole name; without any of the characters `*?[`,
 * a part of the name. A `[` without `]` matches itself. ASCII case is ignored. The empty pattern
 * matches every name.
 */

#include <stdbool.h>

bool name_pattern_match_symbol(const char *pattern, const char *name);
bool name_pattern_match_glob(const char *pattern, const char *name);

#endif
