/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_TERMINAL_TERMINAL_SCREEN_H
#define WPERF_BASE_TERMINAL_TERMINAL_SCREEN_H

/**
 * A full-screen view on a terminal that is redrawn, with unbuffered keys. Closing it restores the
 * previous content. Ctrl-C is still a signal: callers install interrupt.h, so that the screen is
 * closed.
 */

#include "base/error.h"
#include "base/os/interrupt.h"
#include "base/terminal/terminal.h"
#include "base/text/text_lines.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
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

/** Draw a whole picture; what does not fit below is left out. */
void terminal_screen_show(struct terminal_screen *screen, const struct text_lines *lines);

/** The next key; '\0' if none was pressed. Does not wait. */
char terminal_screen_key(struct terminal_screen *screen);

/** Keys that are no character; the others are the bytes of their UTF-8. */
enum terminal_key {
	TERMINAL_KEY_NONE = 0,
	TERMINAL_KEY_SUSPEND = 0x1a, /* Ctrl-Z */
	TERMINAL_KEY_ESCAPE = 0x1b,
	TERMINAL_KEY_BACKSPACE = 0x7f,
	TERMINAL_KEY_UP = 0x100,
	TERMINAL_KEY_DOWN,
	TERMINAL_KEY_RIGHT,
	TERMINAL_KEY_LEFT,
	TERMINAL_KEY_HOME,
	TERMINAL_KEY_END,
	TERMINAL_KEY_PAGE_UP,
	TERMINAL_KEY_PAGE_DOWN,
	TERMINAL_KEY_OTHER, /* F5, Alt and a key ... */
};

/** The next key with what belongs to it, an enum terminal_key or a byte. Waits for the rest of a
 *  sequence only. TERMINAL_KEY_NONE: none was pressed. */
int terminal_screen_read_key(struct terminal_screen *screen);

/** From now on, terminal_screen_wait() also ends when the window has another size. SIGWINCH is
 *  handled until the screen is closed; on Windows waits are short instead. */
struct error *terminal_screen_watch_size(struct terminal_screen *screen);

/** Until a key is there (INTERRUPT_WAKE_READY), the time is up or the size may be another one
 *  (INTERRUPT_WAKE_TIMEOUT), or a request to stop; see base/os/interrupt.h. A keyboard that is gone
 *  is ready and has no key. */
struct error *terminal_screen_wait(const struct terminal_screen *screen, uint64_t timeout_ns,
				   enum interrupt_wake *ret);

/** Ctrl-Z: the shell gets the terminal as it was, until it continues us. Linux only. */
struct error *terminal_screen_suspend(struct terminal_screen *screen);

#endif
