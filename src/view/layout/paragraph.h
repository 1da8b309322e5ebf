/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_LAYOUT_PARAGRAPH_H
#define WPERF_VIEW_LAYOUT_PARAGRAPH_H

/**
 * Text for people, indented and wrapped at blanks; line ends in the text stay, blanks between
 * words stay unless the line is broken there. A word that is too long stands alone. Columns are
 * counted in code points. Safe for a terminal (safe_text.h).
 */

#include <stddef.h>
#include <stdio.h>

/** @width: columns of a line, @indent included. Empty text is an empty line. */
void paragraph_print(const char *text, size_t indent, size_t width, FILE *stream);

/** The same, where the indent of the first line is written already: behind a heading. */
void paragraph_print_behind(const char *text, size_t indent, size_t width, FILE *stream);

#endif
