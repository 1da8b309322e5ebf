// SPDX-License-Identifier: Apache-2.0

#include "session/control/control_channel.h"

#include "base/file/close_fd.h"
#include "base/text/number.h"
#include "session/control/fifo.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// perf ends a command with a newline or a zero byte. A line may come in pieces: bytes are kept
// until its end. Descriptors of the command line may be shared with their other user, so their
// flags are left alone (O_NONBLOCK belongs to the open file, not to the descriptor): each read and
// write asks poll(2) first. A fifo is opened for reading and writing: the open does not wait for
// the other side, and its commands do not end when a shell's `echo` closes it.

static const char control_hint[] = "write --control fd:CTL[,ACK] or --control fifo:CTL[,ACK]";

static struct error *parse_fd(const char *text, size_t length, int *ret)
{
	uint64_t number;
	if (number_parse_decimal(text, length, &number) != NUMBER_OK || number > INT_MAX)
		return error_with_hint(error_create(ERROR_USAGE,
						    "not a file descriptor in --control: '%.*s'",
						    (int)length, text),
				       "%s", control_hint);
	if (fcntl((int)number, F_GETFD) < 0)
		return error_with_hint(error_create(ERROR_USAGE,
						    "file descriptor %d of --control is not open",
						    (int)number),
				       "open it in the shell: exec %d<>FIFO", (int)number);
	// A program that is started would otherwise keep the pipe open, and could read commands.
	fcntl((int)number, F_SETFD, FD_CLOEXEC);
	*ret = (int)number;
	return NULL;
}

static struct error *open_fifo(const char *text, size_t length, int *ret)
{
	_cleanup_free_ char *path = strndup(text, length);
	if (!path)
		return &error_no_memory;
	return fifo_open(path, O_RDWR, "--control",
			 "create one with mkfifo; commands are written into it", ret);
}

struct error *control_channel_open(const char *spec, struct control_channel *ret)
{
	_cleanup_(control_channel_close) struct control_channel channel = CONTROL_CHANNEL_INIT;
	const char *colon = strchr(spec, ':');
	channel.is_opened_here = !strncmp(spec, "fifo:", strlen("fifo:"));
	if (!colon || (!channel.is_opened_here && strncmp(spec, "fd:", strlen("fd:")) != 0))
		return error_with_hint(error_create(ERROR_USAGE, "--control does not know '%s'",
						    spec),
				       "%s", control_hint);
	struct error *(*open_end)(const char *, size_t, int *) =
		channel.is_opened_here ? open_fifo : parse_fd;
	const char *command_end = colon + 1, *comma = strchr(command_end, ',');
	size_t length = comma ? (size_t)(comma - command_end) : strlen(command_end);
	struct error *err = open_end(command_end, length, &channel.fd);
	if (!err && comma)
		err = open_end(comma + 1, strlen(comma + 1), &channel.ack_fd);
	if (err)
		return err;
	*ret = channel;
	channel.is_opened_here = false; // what it opened is the caller's now
	return NULL;
}

void control_channel_close(struct control_channel *channel)
{
	if (channel->is_opened_here) {
		close_fd(&channel->fd);
		close_fd(&channel->ack_fd);
	}
	*channel = (struct control_channel)CONTROL_CHANNEL_INIT;
}

/** Nothing is written to it any more. */
static void control_channel_end(struct control_channel *channel)
{
	if (channel->is_opened_here)
		close_fd(&channel->fd);
	channel->fd = -1;
}

/** @ret_more: bytes came, or the channel has ended: lines may be complete. */
static struct error *control_channel_fill(struct control_channel *channel, bool *ret_more)
{
	struct pollfd ready = {.fd = channel->fd, .events = POLLIN};
	*ret_more = false;
	if (channel->fd < 0 || poll(&ready, 1, 0) <= 0)
		return NULL;
	ssize_t got = read(channel->fd, channel->bytes + channel->num_bytes,
			   sizeof(channel->bytes) - channel->num_bytes);
	if (got < 0 && (errno == EAGAIN || errno == EINTR)) // another reader was faster
		return NULL;
	// A socket whose other end did not read our answers before it was closed.
	if (got < 0 && errno == ECONNRESET)
		got = 0;
	if (got < 0)
		return error_create_errno(errno, "cannot read commands from --control");
	*ret_more = got > 0 || channel->num_bytes > 0;
	channel->num_bytes += (size_t)got;
	if (got > 0)
		return NULL;
	control_channel_end(channel);
	// The last line may have no end: `printf stop`. There is room, as a full line was taken.
	if (channel->num_bytes)
		channel->bytes[channel->num_bytes++] = '\n';
	return NULL;
}

static size_t line_length(const struct control_channel *channel)
{
	size_t length = 0;
	while (length < channel->num_bytes && channel->bytes[length] != '\n' &&
	       channel->bytes[length] != '\0')
		length++;
	return length;
}

/** Take a line from the bytes. @ret_is_there: it is one that the caller has not had yet. */
static void take_line(struct control_channel *channel, size_t length, struct control_command *ret,
		      bool *ret_is_there)
{
	bool is_whole = length < channel->num_bytes;
	// Of a line that does not fit, the beginning is given at once, and the rest is skipped.
	if (!channel->skips)
		control_command_parse(channel->bytes, length, ret);
	*ret_is_there = !channel->skips && length > 0;
	channel->skips = !is_whole;
	size_t taken = is_whole ? length + 1 : length;
	channel->num_bytes -= taken;
	memmove(channel->bytes, channel->bytes + taken, channel->num_bytes);
}

struct error *control_channel_next(struct control_channel *channel, struct control_command *ret,
				   bool *ret_is_there)
{
	struct error *err = NULL;
	*ret_is_there = false;
	for (bool more = true; !err && more && !*ret_is_there;) {
		size_t length = line_length(channel);
		if (length < channel->num_bytes || length == sizeof(channel->bytes))
			take_line(channel, length, ret, ret_is_there);
		else
			err = control_channel_fill(channel, &more);
	}
	return err;
}

/** write(2) to a pipe without a reader kills the process, if nobody asked to be spared. */
static ssize_t write_spared(int fd, const char *text, size_t length)
{
	sigset_t pipe_signal, before, pending;
	sigemptyset(&pipe_signal);
	sigaddset(&pipe_signal, SIGPIPE);
	sigpending(&pending);
	bool was_pending = sigismember(&pending, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
	ssize_t written = write(fd, text, length);
	int errnum = errno;
	// Take back ours; one that was there before is not ours.
	while (written < 0 && errnum == EPIPE && !was_pending &&
	       sigtimedwait(&pipe_signal, NULL, &(struct timespec){0}) < 0 && errno == EINTR)
		continue;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return written;
}

static void control_channel_answer(struct control_channel *channel, const char *text)
{
	if (channel->ack_fd < 0)
		return;
	size_t length = strlen(text);
	struct pollfd ready = {.fd = channel->ack_fd, .events = POLLOUT};
	// A pipe that is ready has room for PIPE_BUF bytes, which are written as a whole: pipe(7).
	bool has_room = poll(&ready, 1, 0) == 1 && ready.revents & POLLOUT;
	if (!has_room || write_spared(channel->ack_fd, text, length) != (ssize_t)length)
		channel->num_unread++;
}

void control_channel_ack(struct control_channel *channel)
{
	control_channel_answer(channel, "ack\n");
}

void control_channel_refuse(struct control_channel *channel, const struct control_command *command,
			    const char *why)
{
	if (!channel->num_refused++)
		snprintf(channel->refused, sizeof(channel->refused), "%s", command->line);
	char answer[PIPE_BUF];
	snprintf(answer, sizeof(answer), "error: %s\n", why);
	control_channel_answer(channel, answer);
}
