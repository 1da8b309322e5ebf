/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_QUOTED_WORDS_H
#define WPERF_PROCESS_QUOTED_WORDS_H

/**
 * Joins words to a command line of Windows. Each program splits its command line itself, with
 * CommandLineToArgvW() or, by the same rules, in its C runtime.
 */

#include "base/error.h"
#include "base/text/string_builder.h"

/**
 * @words: end with NULL; the first is the program's name, which cannot contain a quote, as file
 * names cannot.
 */
struct error *quoted_words_join(char *const *words, struct string_builder *ret);

/**
 * The command line with which cmd.exe runs a batch file. It has other rules, by which some words
 * cannot be quoted safely: these are errors.
 * @shell, @path: of cmd.exe and of the file. @words: the first one is ignored.
 */
struct error *quoted_words_join_batch(const char *shell, const char *path, char *const *words,
				      struct string_builder *ret);

#endif
