// SPDX-License-Identifier: Apache-2.0
// Keys are read as events of the console, and not by _getch(): that gives arrows as 0xe0 and a
// number, which nobody can tell from a letter, and other letters in the console's code page. They
// become what a terminal of Linux sends, so that terminal_screen.c knows one kind of sequences.

#include "base/terminal/terminal_screen.h"

#include "base/container/array.h"
#include "base/os/close_handle.h"
#include "base/terminal/terminal.h"
#include "base/text/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <windows.h>

enum { DEFAULT_ROWS = 25, DEFAULT_COLUMNS = 80, KEY_POLL_NS = 50000000 };

struct terminal_settings {
	HANDLE keyboard; // of the console, also if standard input is something else
	char pending[8]; // bytes of the last key
	size_t next, num_pending;
	uint32_t high; // surrogate, whose other half comes as the next event; 0: none
};

static const struct {
	WORD key;
	const char *bytes;
} terminal_screen_keys[] = {
	{VK_UP, "\033[A"},   {VK_DOWN, "\033[B"}, {VK_RIGHT, "\033[C"},  {VK_LEFT, "\033[D"},
	{VK_HOME, "\033[H"}, {VK_END, "\033[F"},  {VK_PRIOR, "\033[5~"}, {VK_NEXT, "\033[6~"},
};

struct error *terminal_screen_open(FILE *stream, struct terminal_screen **ret)
{
	if (!terminal_switch_to_vt(stream))
		return error_with_hint(
			error_create(ERROR_FAILED,
				     "this console does not understand escape sequences"),
			"use Windows Terminal, or any console of Windows 10 or newer");
	struct terminal_screen *screen = calloc(1, sizeof(*screen));
	struct terminal_settings *settings = calloc(1, sizeof(*settings));
	if (!screen || !settings) {
		free(screen);
		free(settings);
		return &error_no_memory;
	}
	screen->stream = stream;
	screen->before = settings;
	settings->keyboard =
		CreateFileW(L"CONIN$", GENERIC_READ | GENERIC_WRITE,
			    FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, OPEN_EXISTING, 0, NULL);
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
	close_handle(&screen->before->keyboard);
	free(screen->before);
	free(screen);
}

struct terminal_size terminal_screen_size(const struct terminal_screen *screen)
{
	struct terminal_size size = {DEFAULT_ROWS, DEFAULT_COLUMNS};
	terminal_size(screen->stream, &size);
	return size;
}

/** The bytes of a letter; half of a surrogate pair is kept. */
static void terminal_settings_put_letter(struct terminal_settings *settings, uint32_t unit)
{
	bool is_high = unit >= 0xd800 && unit <= 0xdbff, is_low = unit >= 0xdc00 && unit <= 0xdfff;
	uint32_t high = settings->high;
	settings->high = is_high ? unit : 0;
	if (is_high)
		return;
	if (is_low && high)
		unit = 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00);
	settings->num_pending = utf8_encode(unit, settings->pending);
}

static void terminal_settings_put_key(struct terminal_settings *settings,
				      const KEY_EVENT_RECORD *event)
{
	settings->next = settings->num_pending = 0;
	for (size_t i = 0; i < ARRAY_SIZE(terminal_screen_keys); i++) {
		if (terminal_screen_keys[i].key != event->wVirtualKeyCode)
			continue;
		settings->num_pending = strlen(terminal_screen_keys[i].bytes);
		memcpy(settings->pending, terminal_screen_keys[i].bytes, settings->num_pending);
		return;
	}
	// 0: a key that only changes others, such as Shift.
	if (event->uChar.UnicodeChar)
		terminal_settings_put_letter(settings, (uint16_t)event->uChar.UnicodeChar);
}

/** Is there a byte of a key? Takes what else the console tells: a mouse, a window that was chosen.
 */
static bool terminal_settings_has_key(struct terminal_settings *settings)
{
	DWORD num_events = 0, num_read;
	INPUT_RECORD event;
	while (settings->next == settings->num_pending &&
	       GetNumberOfConsoleInputEvents(settings->keyboard, &num_events) && num_events &&
	       ReadConsoleInputW(settings->keyboard, &event, 1, &num_read) && num_read)
		if (event.EventType == KEY_EVENT && event.Event.KeyEvent.bKeyDown)
			terminal_settings_put_key(settings, &event.Event.KeyEvent);
	return settings->next < settings->num_pending;
}

char terminal_screen_key(struct terminal_screen *screen)
{
	struct terminal_settings *settings = screen->before;
	return terminal_settings_has_key(settings) ? settings->pending[settings->next++] : '\0';
}

// terminal_screen_wait() returns often enough for the size to be read.
struct error *terminal_screen_watch_size(struct terminal_screen *screen)
{
	return NULL;
}

// The console's handle is also ready when the mouse moves or the window is chosen.
struct error *terminal_screen_wait(const struct terminal_screen *screen, uint64_t timeout_ns,
				   enum interrupt_wake *ret)
{
	if (terminal_settings_has_key(screen->before)) {
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
