// SPDX-License-Identifier: Apache-2.0

#include "base/thread/wake_event.h"

#include "base/file/close_fd.h"

#include <errno.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct error *wake_event_init(struct wake_event *event)
{
	event->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return event->fd < 0 ? error_create_errno(errno, "cannot prepare to wait") : NULL;
}

void wake_event_deinit(struct wake_event *event)
{
	close_fd(&event->fd);
}

void wake_event_set(const struct wake_event *event)
{
	// What a signal handler calls leaves errno alone. It can only fail if it is set already.
	int errnum = errno;
	ssize_t written = write(event->fd, &(uint64_t){1}, sizeof(uint64_t));
	(void)written;
	errno = errnum;
}

void wake_event_clear(const struct wake_event *event)
{
	uint64_t number;
	ssize_t length = read(event->fd, &number, sizeof(number));
	(void)length; // it was not set
}
