// SPDX-License-Identifier: Apache-2.0

#include "process/process_watch.h"

#include "base/file/close_fd.h"
#include "process/process_end_thread.h"

#include <errno.h>
#include <poll.h>
#include <sys/syscall.h>

/** A descriptor, or a negative errno. */
static int process_watch_try(uint32_t pid)
{
	// A descriptor of a process becomes readable at its end, and is never that of another one
	// with the same number (pidfd_open(2), since Linux 5.3).
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (fd >= 0)
		return fd;
	// Filters of system calls in containers refuse with EPERM what they do not know.
	return errno == ENOSYS || errno == EPERM ? process_end_thread_start(pid) : -errno;
}

struct error *process_watch_open(uint32_t pid, int *ret)
{
	int fd = process_watch_try(pid);
	if (fd == -ESRCH)
		return error_with_hint(
			error_create_errno(ESRCH, "cannot watch process %u", pid),
			"give the ID of a running process; in a container, as ps shows "
			"it there");
	if (fd < 0)
		return error_create_errno(-fd, "cannot watch process %u", pid);
	*ret = fd;
	return NULL;
}

void process_watch_close(int *fd)
{
	close_fd(fd);
}

bool process_watch_has_ended(int fd)
{
	struct pollfd end = {.fd = fd, .events = POLLIN};
	return poll(&end, 1, 0) == 1;
}
