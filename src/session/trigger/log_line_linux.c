// SPDX-License-Identifier: Apache-2.0

#include "session/trigger/log_line.h"

#include "session/control/fifo.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

// The text has no line break, so that it need not be known where lines begin. What is kept of one
// read for the next is one byte less than the text has.

/** What is read in one poll: who writes without end gets no more of our time. */
enum { MAX_READS = 64 };

struct error *log_line_open(const char *path, int fd, const char *text, struct log_line *ret)
{
	struct log_line line = {.fd = fd, .text = text, .length = strlen(text)};
	if (line.length > LOG_LINE_TEXT_MAX)
		return error_create(ERROR_USAGE, "--trigger: a text of %zu bytes is too long",
				    line.length);
	static const char hint[] =
		"create one with mkfifo; tail -F LOG > FIFO reads a file into it";
	struct error *err = path ? fifo_open(path, O_RDONLY, "--trigger", hint, &line.fd) : NULL;
	if (err)
		return err;
	line.is_opened_here = path;
	// The program that we start has nothing to do with it.
	if (!path && (fcntl(fd, F_GETFD) < 0 || fcntl(fd, F_SETFD, FD_CLOEXEC) < 0))
		return error_with_hint(error_create_errno(errno, "--trigger: file descriptor %d",
							  fd),
				       "the shell opens one with %d< FILE", fd);
	*ret = line;
	return NULL;
}

void log_line_close(struct log_line *line)
{
	if (line->is_opened_here)
		close(line->fd);
}

static bool has_bytes(int fd)
{
	struct pollfd wait = {.fd = fd, .events = POLLIN};
	return poll(&wait, 1, 0) > 0 && wait.revents & POLLIN;
}

bool log_line_poll(struct log_line *line)
{
	bool is_found = false;
	for (int i = 0; i < MAX_READS && has_bytes(line->fd); i++) {
		ssize_t size = read(line->fd, line->bytes + line->num_kept,
				    sizeof(line->bytes) - line->num_kept);
		if (size <= 0)
			break;
		size_t whole = line->num_kept + (size_t)size;
		bool is_here = memmem(line->bytes, whole, line->text, line->length);
		is_found = is_found || is_here;
		// Of what was found nothing is looked at again.
		size_t kept = is_here ? 0 : line->length - 1;
		line->num_kept = whole < kept ? whole : kept;
		memmove(line->bytes, line->bytes + whole - line->num_kept, line->num_kept);
	}
	return is_found;
}
