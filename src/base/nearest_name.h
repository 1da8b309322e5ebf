/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_NEAREST_NAME_H
#define WPERF_BASE_NEAREST_NAME_H

/** "Did you mean ...?": the known name that a mistyped word most likely stands for. */

#include <stddef.h>

enum { NEAREST_NAME_MAX_WORD = 64 };

/**
 * The nearest of the names, the first of equals; NULL if none is near. ASCII case does not count.
 *
 * If names start with the word, the shortest of them. Else the name that takes the fewest typing
 * errors (a character too much, missing, wrong, or two neighbours swapped); one error is allowed
 * for every three characters of the word, three at most. A word of one character, and one of
 * more than NEAREST_NAME_MAX_WORD, is near to nothing.
 */
const char *nearest_name(const char *word, const char *const *names, size_t num_names);

#endif
