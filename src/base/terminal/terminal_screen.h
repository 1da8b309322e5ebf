/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_TERMINAL_TERMINAL_SCREEN_H
#define WPERF_BASE_TERMINAL_TERMINAL_SCREEN_H

/**
 * A full-screen view on a terminal that is redrawn, with unbuffered keys. Closing it restores the
 * previous content. Ctrl-C is still a signal: callers install interrupt.h, so that the screen is
 * closed.
 */

#include "base/error.h"
#include "base/terminal/terminal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct terminal_settings; /* private */

/** Private: alternate screen, no cursor, no line wrapping; and back. */
#define TERMINAL_SCREEN_ENTER "\033[?1049h\033[?25l\033[?7l\033[2J"
#define TERMINAL_SCREEN_LEAVE "\033[?7h\033[?25h\033[?1049l"

struct terminal_screen {
	FILE *stream;
	struct terminal_settings *before; /* of the keyboard; NULL: there is no keyboard */
};

/** @stream: a terminal. Keys are read from standard input if that is a terminal, too. */
struct error *terminal_screen_open(FILE *stream, struct terminal_screen **ret);

/** Restores the terminal. Accepts NULL. */
void terminal_screen_close(struct terminal_screen *screen);
static inline void terminal_screen_closep(struct terminal_screen **screen)
{
	terminal_screen_close(*screen);
}

struct terminal_size terminal_screen_size(const struct terminal_screen *screen);

/** Begin to redraw at the top; old lines stay until they are overwritten. */
void terminal_screen_begin(struct terminal_screen *screen);

/** Draw a line; the terminal cuts it at its width. @text: without control characters. */
void terminal_screen_line(struct terminal_screen *screen, const char *text, size_t length);

/** Clear the rest of the screen. */
void terminal_screen_end(struct terminal_screen *screen);

/** The next key; '\0' if none was pressed. Does not wait. */
char terminal_screen_key(struct terminal_screen *screen);

#endif
