// SPDX-License-Identifier: Apache-2.0

#include "base/terminal/terminal_screen.h"

#include "base/terminal/terminal.h"

#include <conio.h>
#include <io.h>
#include <stdlib.h>
#include <windows.h>

enum { DEFAULT_ROWS = 25, DEFAULT_COLUMNS = 80, KEY_POLL_NS = 50000000 };

// The console gives single keys without any setting.
struct terminal_settings {
	char nothing;
};

struct error *terminal_screen_open(FILE *stream, struct terminal_screen **ret)
{
	if (!terminal_switch_to_vt(stream))
		return error_with_hint(
			error_create(ERROR_FAILED,
				     "this console does not understand escape sequences"),
			"use Windows Terminal, or any console of Windows 10 or newer");
	struct terminal_screen *screen = calloc(1, sizeof(*screen));
	if (!screen)
		return &error_no_memory;
	screen->stream = stream;
	fputs(TERMINAL_SCREEN_ENTER, stream);
	*ret = screen;
	return NULL;
}

void terminal_screen_close(struct terminal_screen *screen)
{
	if (!screen)
		return;
	fputs(TERMINAL_SCREEN_LEAVE, screen->stream);
	fflush(screen->stream);
	free(screen);
}

struct terminal_size terminal_screen_size(const struct terminal_screen *screen)
{
	struct terminal_size size = {DEFAULT_ROWS, DEFAULT_COLUMNS};
	terminal_size(screen->stream, &size);
	return size;
}

char terminal_screen_key(struct terminal_screen *screen)
{
	// Without echo, and from the console even if standard input is something else.
	return _kbhit() ? (char)_getch() : '\0';
}

// terminal_screen_wait() returns often enough for the size to be read.
struct error *terminal_screen_watch_size(struct terminal_screen *screen)
{
	return NULL;
}

// The console's handle is also ready when the mouse moves or the window is chosen: only _kbhit()
// knows of keys.
struct error *terminal_screen_wait(const struct terminal_screen *screen, uint64_t timeout_ns,
				   enum interrupt_wake *ret)
{
	if (_kbhit()) {
		*ret = INTERRUPT_WAKE_READY;
		return NULL;
	}
	return interrupt_wait(-1, timeout_ns < KEY_POLL_NS ? timeout_ns : KEY_POLL_NS, ret);
}

// There is no Ctrl-Z here.
struct error *terminal_screen_suspend(struct terminal_screen *screen)
{
	return NULL;
}
