// SPDX-License-Identifier: Apache-2.0

#include "base/terminal/terminal_screen.h"

#include "base/os/interrupt.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

// The order of closing is that of opening reversed. If a second Ctrl-C ends the process, the
// handler of base/os/interrupt.h calls terminal_screen_restore(), which must use only what
// signal-safety(7) lists: write() and tcsetattr(), not stdio.

enum { DEFAULT_ROWS = 24, DEFAULT_COLUMNS = 80 };

struct terminal_settings {
	struct termios termios;
};

// For a signal handler, which gets no argument of ours: the screen that is open.
static const struct terminal_screen *volatile open_screen;

/** The shell behind a second Ctrl-C gets the terminal as it was. */
static void terminal_screen_restore(void)
{
	const struct terminal_screen *screen = open_screen;
	if (!screen)
		return;
	static const char leave[] = TERMINAL_SCREEN_LEAVE;
	ssize_t written = write(fileno(screen->stream), leave, sizeof(leave) - 1);
	(void)written; // there is nobody left to tell
	if (screen->before)
		tcsetattr(STDIN_FILENO, TCSANOW, &screen->before->termios);
}

/** Keys at once and unseen. Ctrl-Z is a key like others, as the signal would leave the terminal
 * like this: see terminal_screen_suspend(). */
static struct error *take_keyboard(const struct terminal_screen *screen)
{
	struct termios settings = screen->before->termios;
	settings.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	settings.c_cc[VSUSP] = _POSIX_VDISABLE;
	// read() returns at once, also without a key (termios(3), "polling read").
	settings.c_cc[VMIN] = 0;
	settings.c_cc[VTIME] = 0;
	if (tcsetattr(STDIN_FILENO, TCSANOW, &settings) < 0)
		return error_create_errno(errno, "cannot read single keys");
	return NULL;
}

static struct error *switch_keyboard(struct terminal_screen *screen)
{
	struct termios settings;
	if (tcgetattr(STDIN_FILENO, &settings) < 0)
		return NULL;
	screen->before = malloc(sizeof(*screen->before));
	if (!screen->before)
		return &error_no_memory;
	screen->before->termios = settings;
	return take_keyboard(screen);
}

struct error *terminal_screen_open(FILE *stream, struct terminal_screen **ret)
{
	_cleanup_(terminal_screen_closep) struct terminal_screen *screen =
		calloc(1, sizeof(*screen));
	if (!screen)
		return &error_no_memory;
	screen->stream = stream;
	fputs(TERMINAL_SCREEN_ENTER, stream);
	struct error *err = switch_keyboard(screen);
	if (err)
		return err;
	open_screen = screen;
	interrupt_set_last_act(terminal_screen_restore);
	*ret = take_ptr(screen);
	return NULL;
}

void terminal_screen_close(struct terminal_screen *screen)
{
	if (!screen)
		return;
	fputs(TERMINAL_SCREEN_LEAVE, screen->stream);
	fflush(screen->stream);
	if (screen->before)
		tcsetattr(STDIN_FILENO, TCSANOW, &screen->before->termios);
	interrupt_set_last_act(NULL);
	open_screen = NULL;
	free(screen->before);
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
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
	char key;
	if (!screen->before || poll(&input, 1, 0) <= 0 || read(STDIN_FILENO, &key, 1) != 1)
		return '\0';
	return key;
}

struct error *terminal_screen_wait(const struct terminal_screen *screen, uint64_t timeout_ns,
				   enum interrupt_wake *ret)
{
	return interrupt_wait(screen->before ? STDIN_FILENO : -1, timeout_ns, ret);
}

struct error *terminal_screen_suspend(struct terminal_screen *screen)
{
	terminal_screen_restore();
	// Stops all of us here, until the shell sends SIGCONT.
	raise(SIGTSTP);
	fputs(TERMINAL_SCREEN_ENTER, screen->stream);
	return screen->before ? take_keyboard(screen) : NULL;
}
