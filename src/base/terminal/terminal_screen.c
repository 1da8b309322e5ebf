// SPDX-License-Identifier: Apache-2.0

#include "base/terminal/terminal_screen.h"

#include "base/container/array.h"

#include <string.h>

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

void terminal_screen_show(struct terminal_screen *screen, const struct text_lines *lines)
{
	// Asked for now: the window may have changed since the text was printed. A line too many
	// would scroll the top away.
	size_t rows = terminal_screen_size(screen).rows;
	terminal_screen_begin(screen);
	for (size_t i = 1; i <= lines->num_lines && i < rows; i++) {
		struct text_line line = text_lines_get(lines, i);
		terminal_screen_line(screen, line.text, line.length);
	}
	terminal_screen_end(screen);
}

// Keys as xterm sends them and terminals since then: CSI (ESC [) or SS3 (ESC O), parameters, and a
// final byte. With a modifier, parameters are "1;5"; the key is the same then.
enum { MAX_SEQUENCE = 16, SEQUENCE_WAIT_NS = 50000000 };

static const struct {
	const char *sequence; // behind ESC [
	enum terminal_key key;
} sequences[] = {
	{"A", TERMINAL_KEY_UP},    {"B", TERMINAL_KEY_DOWN},     {"C", TERMINAL_KEY_RIGHT},
	{"D", TERMINAL_KEY_LEFT},  {"H", TERMINAL_KEY_HOME},     {"F", TERMINAL_KEY_END},
	{"1~", TERMINAL_KEY_HOME}, {"7~", TERMINAL_KEY_HOME},    {"4~", TERMINAL_KEY_END},
	{"8~", TERMINAL_KEY_END},  {"5~", TERMINAL_KEY_PAGE_UP}, {"6~", TERMINAL_KEY_PAGE_DOWN},
};

/** The rest of a sequence comes with its start, or over a slow line soon after. */
static char key_of_sequence(struct terminal_screen *screen)
{
	enum interrupt_wake wake;
	char key = terminal_screen_key(screen);
	if (key)
		return key;
	struct error *err = terminal_screen_wait(screen, SEQUENCE_WAIT_NS, &wake);
	error_destroy(err);
	return err ? '\0' : terminal_screen_key(screen);
}

static int find_sequence(const char *text)
{
	for (size_t i = 0; i < ARRAY_SIZE(sequences); i++)
		if (strcmp(text, sequences[i].sequence) == 0)
			return sequences[i].key;
	return TERMINAL_KEY_OTHER;
}

int terminal_screen_read_key(struct terminal_screen *screen)
{
	char first = terminal_screen_key(screen);
	if (first == '\b')
		return TERMINAL_KEY_BACKSPACE;
	if (first != TERMINAL_KEY_ESCAPE)
		return (unsigned char)first;
	char next = key_of_sequence(screen);
	if (!next)
		return TERMINAL_KEY_ESCAPE;
	if (next != '[' && next != 'O')
		return TERMINAL_KEY_OTHER; // Alt and a key
	char text[MAX_SEQUENCE + 1] = "";
	for (size_t length = 0; length < MAX_SEQUENCE; length++) {
		next = key_of_sequence(screen);
		text[length] = next;
		bool is_final = next >= '@' && next <= '~';
		if (!next)
			return TERMINAL_KEY_OTHER;
		if (!is_final)
			continue;
		// "1;5A" is Ctrl-Up.
		bool has_modifier = memchr(text, ';', length) != NULL;
		return find_sequence(has_modifier && next != '~' ? &text[length] : text);
	}
	return TERMINAL_KEY_OTHER;
}
