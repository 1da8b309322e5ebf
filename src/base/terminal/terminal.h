/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_TERMINAL_TERMINAL_H
#define WPERF_BASE_TERMINAL_TERMINAL_H

/** Is a stream a terminal, and what can it show? */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

bool terminal_is_terminal(FILE *stream);

struct terminal_size {
	size_t rows, columns;
};

/** False if the stream is not a terminal, or its size is not known. */
bool terminal_size(FILE *stream, struct terminal_size *ret);

/** The maximum width of lines: COLUMNS if it is set, else the width of the terminal; 0 (no limit)
 *  if the stream is not a terminal. */
size_t terminal_columns(FILE *stream);

/** Private: enable VT sequences; false if the terminal does not support them. */
bool terminal_switch_to_vt(FILE *stream);

/** Does it understand VT sequences? A terminal, if TERM is not "dumb"; on Windows, if the console
 *  supports them, which this enables. */
bool terminal_has_vt(FILE *stream);

/** Is a browser with keys opened where nobody asks for one? Not on Windows, where none was tested
 *  on a real console. */
bool terminal_is_for_browsing(void);

/** May colours be used? If it has VT sequences, and NO_COLOR is unset or empty. */
bool terminal_has_color(FILE *stream);

#endif
