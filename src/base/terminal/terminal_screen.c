// SPDX-License-Identifier: Apache-2.0

#include "base/terminal/terminal_screen.h"

// Escape sequences of ECMA-48: CUP (H) goes to the top left, EL (K) clears the rest of a line, ED
// (J) the rest of the screen. Clearing behind each line instead of once before all of them avoids
// flicker.

void terminal_screen_begin(struct terminal_screen *screen)
{
	fputs("\033[H", screen->stream);
}

void terminal_screen_line(struct terminal_screen *screen, const char *text, size_t length)
{
	fwrite(text, 1, length, screen->stream);
	fputs("\033[K\r\n", screen->stream);
}

void terminal_screen_end(struct terminal_screen *screen)
{
	fputs("\033[J", screen->stream);
	fflush(screen->stream);
}
