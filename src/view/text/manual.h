/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_TEXT_MANUAL_H
#define WPERF_VIEW_TEXT_MANUAL_H

/**
 * What `man` prints: fields, each a heading on a line of its own and its text below, indented
 * by four blanks and wrapped at blanks so that no line is longer than 81 columns (a longer word
 * stands alone); line ends in the text stay. Columns are counted in code points, not bytes.
 * As JSON, an array of {"Field_Type", "Result"}; there the text is not wrapped.
 *
 * Blanks inside a line stay as they are, also at its start; those at the end of a printed line
 * go. A tab is a blank. A line without words is printed as an empty one, without indentation,
 * and so is an empty text: a heading is never without a line below it. One line end at the end
 * of the text is not another line. Control characters are shown as view/layout/safe_text.h says.
 */

#include <stdio.h>

struct json_writer;

void manual_print_field(const char *heading, const char *text, FILE *stream);
void manual_write_json_field(const char *heading, const char *text, struct json_writer *json);

#endif
