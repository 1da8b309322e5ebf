/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_TEXT_NEAREST_NAME_H
#define WPERF_BASE_TEXT_NEAREST_NAME_H

/** "Did you mean ...?": the known name that is most like a mistyped word. */

#include <stddef.h>

enum { NEAREST_NAME_MAX_WORD = 64 };

/**
 * The nearest name, the first of equals; NULL if none is near. ASCII case is ignored.
 *
 * If names start with the word, the shortest of them. Else the name with the smallest edit distance
 * (a character added, missing, wrong, or two neighbours swapped): at most one edit for every three
 * characters of the word, and at most three. Words of one character, and of more than
 * NEAREST_NAME_MAX_WORD, have no near name.
 */
const char *nearest_name(const char *word, const char *const *names, size_t num_names);

#endif
