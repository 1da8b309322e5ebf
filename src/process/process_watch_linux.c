// SPDX-License-Identifier: Apache-2.0

#include "process/process_watch.h"

#include "base/close_fd.h"

#include <errno.h>
#include <poll.h>
#include <sys/syscall.h>

static int open_process(uint32_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

struct error *process_watch_open(uint32_t pid, int *ret)
{
	int fd = open_process(pid);
	if (fd < 0)
		return error_create_errno(errno, "cannot watch process %u", pid);
	*ret = fd;
	return NULL;
}

void process_watch_close(int *fd)
{
	close_fd(fd);
}

// A signal would still find what nobody has waited for.
bool process_watch_has_ended(uint32_t pid)
{
	_cleanup_(close_fd) int fd = open_process(pid);
	if (fd < 0)
		return errno == ESRCH;
	struct pollfd end = {.fd = fd, .events = POLLIN};
	return poll(&end, 1, 0) == 1;
}
