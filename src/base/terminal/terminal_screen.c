// SPDX-License-Identifier: Apache-2.0

#include "base/terminal/terminal_screen.h"

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
