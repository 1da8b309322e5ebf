// SPDX-License-Identifier: Apache-2.0

#include "session/control/fifo.h"

#include "base/file/close_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

struct error *fifo_open(const char *path, int flags, const char *option, const char *hint, int *ret)
{
	_cleanup_(close_fd) int fd = open(path, flags | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return error_with_hint(error_create_errno(errno, "%s: cannot open '%s'", option,
							  path),
				       "create it first: mkfifo %s", path);
	struct stat status;
	if (fstat(fd, &status) < 0 || !S_ISFIFO(status.st_mode))
		return error_with_hint(error_create(ERROR_USAGE, "%s: '%s' is not a FIFO", option,
						    path),
				       "%s", hint);
	*ret = take_fd(&fd);
	return NULL;
}
