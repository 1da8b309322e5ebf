/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_TERMINAL_H
#define WPERF_BASE_TERMINAL_H

/** What stands at the other end of a stream. */

#include <stdbool.h>
#include <stdio.h>

bool terminal_is_terminal(FILE *stream);

/** Private: make the terminal understand VT sequences; false if it cannot. */
bool terminal_switch_to_vt(FILE *stream);

/** May colours be used? A terminal, NO_COLOR unset or empty, TERM not "dumb"; on Windows the
 *  console must understand VT sequences (and is switched to them). */
bool terminal_has_color(FILE *stream);

#endif
