/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_QUOTED_WORDS_H
#define WPERF_PROCESS_QUOTED_WORDS_H

/**
 * Programs on Windows are started with one line of text, which each takes apart itself: with
 * CommandLineToArgvW() or, by the same rules, in its C runtime. Here words become such a line.
 */

#include "base/error.h"
#include "base/string_builder.h"

/**
 * @words: end with NULL; the first is the program's own name, in which there cannot be a quote, as
 * there cannot be one in the name of a file.
 */
struct error *quoted_words_join(char *const *words, struct string_builder *ret);

/**
 * The line with which cmd.exe runs a batch file. It takes lines apart by rules of its own, by which
 * some words cannot be said safely: these are an error.
 * @shell, @path: of cmd.exe and of the file. @words: the first does not count.
 */
struct error *quoted_words_join_batch(const char *shell, const char *path, char *const *words,
				      struct string_builder *ret);

#endif
