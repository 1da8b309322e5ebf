/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_TERMINAL_H
#define WPERF_BASE_TERMINAL_H

/** What stands at the other end of a stream. */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

bool terminal_is_terminal(FILE *stream);

struct terminal_size {
	size_t rows, columns;
};

/** What the terminal says of itself; false if the stream is none, or it does not say. */
bool terminal_size(FILE *stream, struct terminal_size *ret);

/** How long lines for the reader may be: COLUMNS if it is set, else the terminal's width; 0 (no
 *  limit) if the stream is no terminal. */
size_t terminal_columns(FILE *stream);

/** Private: make the terminal understand VT sequences; false if it cannot. */
bool terminal_switch_to_vt(FILE *stream);

/** May colours be used? A terminal, NO_COLOR unset or empty, TERM not "dumb"; on Windows the
 *  console must understand VT sequences (and is switched to them). */
bool terminal_has_color(FILE *stream);

#endif
