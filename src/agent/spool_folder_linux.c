// SPDX-License-Identifier: Apache-2.0

#include "agent/spool_folder.h"

#include "base/file/close_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct spool_folder_lock {
	int fd;
};

struct error *spool_folder_lock(const char *path, struct spool_folder_lock **ret)
{
	_cleanup_free_ struct spool_folder_lock *lock = malloc(sizeof(*lock));
	if (!lock)
		return &error_no_memory;
	_cleanup_(close_fd) int fd =
		open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
	if (fd < 0)
		return error_create_errno(errno, "cannot open '%s'", path);
	if (flock(fd, LOCK_EX | LOCK_NB)) {
		if (errno != EWOULDBLOCK)
			return error_create_errno(errno, "cannot lock '%s'", path);
		return error_with_hint(error_create(ERROR_FAILED, "another agent has locked '%s'",
						    path),
				       "stop it, or give this one a folder with --spool");
	}
	lock->fd = take_fd(&fd);
	*ret = take_ptr(lock);
	return NULL;
}

void spool_folder_unlock(struct spool_folder_lock *lock)
{
	if (!lock)
		return;
	close(lock->fd);
	free(lock);
}

bool spool_folder_sync(const char *path)
{
	_cleanup_(close_fd) int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd >= 0 && !fsync(fd);
}
