/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_TERMINAL_SCREEN_H
#define WPERF_BASE_TERMINAL_SCREEN_H

/**
 * A terminal as a screen that is drawn again and again, with keys read as they are pressed. What
 * was on it before comes back at the end. Ctrl-C is a signal as ever (see interrupt.h): who uses
 * this must catch it.
 */

#include "base/error.h"
#include "base/terminal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct terminal_settings; /* private */

/** Private: the other screen, no cursor, no wrapping of long lines; and back. */
#define TERMINAL_SCREEN_ENTER "\033[?1049h\033[?25l\033[?7l\033[2J"
#define TERMINAL_SCREEN_LEAVE "\033[?7h\033[?25h\033[?1049l"

struct terminal_screen {
	FILE *stream;
	struct terminal_settings *before; /* of the keyboard; NULL: there is none */
};

/** @stream: a terminal. Keys come from standard input, if that is one, too. */
struct error *terminal_screen_open(FILE *stream, struct terminal_screen **ret);

/** Everything as it was. Accepts NULL. */
void terminal_screen_close(struct terminal_screen *screen);
static inline void terminal_screen_closep(struct terminal_screen **screen)
{
	terminal_screen_close(*screen);
}

struct terminal_size terminal_screen_size(const struct terminal_screen *screen);

/** Of a picture: go to the top; what was there stays until it is written over. */
void terminal_screen_begin(struct terminal_screen *screen);

/** A line of the picture; too long a one is cut by the terminal. @text: safe. */
void terminal_screen_line(struct terminal_screen *screen, const char *text, size_t length);

/** What is below is wiped. */
void terminal_screen_end(struct terminal_screen *screen);

/** The next key that was pressed; '\0' if there is none. Does not wait. */
char terminal_screen_key(struct terminal_screen *screen);

#endif
