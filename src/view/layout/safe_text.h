/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_LAYOUT_SAFE_TEXT_H
#define WPERF_VIEW_LAYOUT_SAFE_TEXT_H

/**
 * Text from outside (names of symbols, files, processes) made harmless for a terminal:
 *
 *	control characters (C0, DEL, C1)            \x1b     the escape character, for example
 *	characters that reorder or break the line   \u202e   bidirectional controls, U+2028, U+2029
 *	marks behind eight others                   \u0301   of what combines with a character
 *	bytes that are not UTF-8                    U+FFFD   one for each byte
 *
 * Everything else stays. Columns are those of base/text/character_width.h.
 */

#include <stddef.h>
#include <stdio.h>

/** Columns that the @length bytes take when printed. @text: no NUL among them, one behind. */
size_t safe_text_width(const char *text, size_t length);

/** Behind as much of the start of @text as takes at most @columns. */
const char *safe_text_head(const char *text, size_t columns);

/** The start of as much of the end of @text as takes at most @columns. */
const char *safe_text_tail(const char *text, size_t columns);

void safe_text_print(const char *text, size_t length, FILE *stream);

/**
 * For files whose readers know no escapes: `_` in the place of each character that is escaped
 * above, and of each that is in @separators.
 */
void safe_text_print_field(const char *text, const char *separators, FILE *stream);

/** For XML: as safe_text_print(), with entities for the characters that are markup. */
void safe_text_print_xml(const char *text, FILE *stream);

/** `[libc.so.6]`; what has brackets of its own, as [kernel], gets no more of them. */
void safe_text_print_module(const char *name, FILE *stream);

#endif
