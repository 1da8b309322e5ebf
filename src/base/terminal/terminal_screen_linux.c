// SPDX-License-Identifier: Apache-2.0

#include "base/terminal/terminal_screen.h"

#include "base/container/array.h"
#include "base/file/close_fd.h"
#include "base/os/interrupt.h"
#include "base/thread/wake_event.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <termios.h>
#include <unistd.h>

// The order of closing is that of opening reversed. If a second Ctrl-C ends the process, the
// handler of base/os/interrupt.h calls terminal_screen_restore(), which must use only what
// signal-safety(7) lists: write() and tcsetattr(), not stdio.

enum { DEFAULT_ROWS = 24, DEFAULT_COLUMNS = 80 };

struct terminal_settings {
	struct termios termios;
	// Of terminal_screen_watch_size().
	struct sigaction size_action;
	struct wake_event has_resized; /* set by SIGWINCH */
	int wait_fd;                   /* readable: a key, or another size; -1: not watched */
};

// For signal handlers, which get no argument of ours: the screen that is open.
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
 *  like this: see terminal_screen_suspend(). */
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
	screen->before->has_resized = (struct wake_event)WAKE_EVENT_INIT;
	screen->before->wait_fd = -1;
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

static void terminal_screen_note_size(int signal)
{
	wake_event_set(&open_screen->before->has_resized);
}

static struct error *terminal_screen_add_wait(int wait_fd, int fd)
{
	struct epoll_event event = {.events = EPOLLIN};
	if (epoll_ctl(wait_fd, EPOLL_CTL_ADD, fd, &event) < 0)
		return error_create_errno(errno, "cannot wait for keys");
	return NULL;
}

struct error *terminal_screen_watch_size(struct terminal_screen *screen)
{
	struct terminal_settings *before = screen->before;
	if (!before || before->wait_fd >= 0)
		return NULL;
	_cleanup_(close_fd) int wait_fd = epoll_create1(EPOLL_CLOEXEC);
	if (wait_fd < 0)
		return error_create_errno(errno, "cannot wait for keys");
	struct error *err = wake_event_init(&before->has_resized);
	if (!err)
		err = terminal_screen_add_wait(wait_fd, STDIN_FILENO);
	if (!err)
		err = terminal_screen_add_wait(wait_fd, before->has_resized.fd);
	if (err)
		return err;
	const struct sigaction action = {
		.sa_handler = terminal_screen_note_size,
		.sa_flags = SA_RESTART,
	};
	if (sigaction(SIGWINCH, &action, &before->size_action) < 0)
		return error_create_errno(errno, "cannot watch the size of the terminal");
	before->wait_fd = take_fd(&wait_fd);
	return NULL;
}

static void terminal_settings_destroy(struct terminal_settings *settings)
{
	if (!settings)
		return;
	if (settings->wait_fd >= 0)
		sigaction(SIGWINCH, &settings->size_action, NULL);
	close_fd(&settings->wait_fd);
	wake_event_deinit(&settings->has_resized);
	free(settings);
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
	terminal_settings_destroy(screen->before);
	open_screen = NULL;
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
	const struct terminal_settings *before = screen->before;
	if (!before)
		return interrupt_wait(-1, timeout_ns, ret);
	if (before->wait_fd < 0)
		return interrupt_wait(STDIN_FILENO, timeout_ns, ret);
	struct error *err = interrupt_wait(before->wait_fd, timeout_ns, ret);
	if (err || *ret != INTERRUPT_WAKE_READY)
		return err;
	wake_event_clear(&before->has_resized);
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
	if (poll(&input, 1, 0) == 0)
		*ret = INTERRUPT_WAKE_TIMEOUT;
	return NULL;
}

struct error *terminal_screen_suspend(struct terminal_screen *screen)
{
	terminal_screen_restore();
	// Stops all of us here, until the shell sends SIGCONT.
	raise(SIGTSTP);
	fputs(TERMINAL_SCREEN_ENTER, screen->stream);
	return screen->before ? take_keyboard(screen) : NULL;
}
