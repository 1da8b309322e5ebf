/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_TEXT_SHELL_WORD_H
#define WPERF_BASE_TEXT_SHELL_WORD_H

/** Words of commands that users copy into a shell. */

#include "base/text/string_builder.h"

/** So that a POSIX shell reads it as one word; in quotes only where it needs them. */
void shell_word_append(struct string_builder *text, const char *word);

#endif
