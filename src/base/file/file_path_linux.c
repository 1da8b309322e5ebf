// SPDX-License-Identifier: Apache-2.0

#include "base/file/file_path.h"

#include "base/cleanup.h"
#include "base/file/close_fd.h"
#include "base/file/foreign_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The functions of POSIX with O_CLOEXEC, so that profiled programs inherit no file of ours. A file
// without a name (O_TMPFILE) gets one through /proc/self/fd, as open(2) describes: linkat() with
// AT_EMPTY_PATH would need CAP_DAC_READ_SEARCH.

const char file_path_list_separator = ':';

/** New files are for their owner; the umask may take even more. */
static FILE *file_path_open_stream(const char *path, int flags, const char *mode)
{
	_cleanup_(close_fd) int fd = open(path, flags | O_CLOEXEC, S_IRUSR | S_IWUSR);
	FILE *file = fd >= 0 ? fdopen(fd, mode) : NULL;
	if (file)
		(void)take_fd(&fd);
	return file;
}

FILE *file_path_open(const char *path, const char *mode)
{
	int flags = O_RDONLY;
	if (mode[0] == 'w')
		flags = O_WRONLY | O_CREAT | O_TRUNC;
	else if (mode[0] == 'a')
		flags = O_WRONLY | O_CREAT | O_APPEND;
	return file_path_open_stream(path, flags, mode);
}

FILE *file_path_open_regular(const char *path)
{
	_cleanup_(close_fd) int fd = -1;
	struct stat status;
	_cleanup_(error_destroyp) struct error *err =
		foreign_fd_open(path, FOREIGN_FD_DISK, &fd, &status);
	if (err)
		return NULL;
	FILE *file = fdopen(fd, "r");
	if (file)
		(void)take_fd(&fd);
	return file;
}

FILE *file_path_create(const char *path)
{
	return file_path_open_stream(path, O_WRONLY | O_CREAT | O_EXCL, "w");
}

/** Of an open file, for calls that take a path. */
struct descriptor_path {
	char text[32];
};

static struct descriptor_path descriptor_path(int fd)
{
	struct descriptor_path path;
	snprintf(path.text, sizeof(path.text), "/proc/self/fd/%d", fd);
	return path;
}

FILE *file_path_create_nameless(const char *path)
{
	// dirname() may change what it gets.
	_cleanup_free_ char *copy = strdup(path);
	_cleanup_(close_fd) int fd =
		copy ? open(dirname(copy), O_TMPFILE | O_WRONLY | O_CLOEXEC, S_IRUSR | S_IWUSR)
		     : -1;
	// Without /proc it would never get a name.
	if (fd < 0 || access(descriptor_path(fd).text, F_OK))
		return NULL;
	FILE *file = fdopen(fd, "w");
	if (file)
		(void)take_fd(&fd);
	return file;
}

bool file_path_give_name(FILE *file, const char *path)
{
	return linkat(AT_FDCWD, descriptor_path(fileno(file)).text, AT_FDCWD, path,
		      AT_SYMLINK_FOLLOW) == 0;
}

enum file_path_kind file_path_kind(const char *path)
{
	struct stat status;
	if (stat(path, &status) < 0)
		return FILE_PATH_ABSENT;
	return S_ISREG(status.st_mode) ? FILE_PATH_FILE : FILE_PATH_OTHER;
}

char *file_path_whole(const char *path)
{
	return realpath(path, NULL);
}

bool file_path_make_folders(const char *path)
{
	_cleanup_free_ char *copy = strdup(path);
	if (!copy)
		return false;
	// A slash at the beginning is the root, which is there.
	for (char *slash = strchr(copy + (*copy == '/'), '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		// Somebody else may make the same folder meanwhile.
		if (mkdir(copy, 0777) < 0 && errno != EEXIST)
			return false;
		*slash = '/';
	}
	return true;
}

bool file_path_rename(const char *from, const char *to)
{
	return rename(from, to) == 0;
}

void file_path_remove(const char *path)
{
	unlink(path);
}

bool file_path_sync(FILE *file)
{
	return !fflush(file) && !ferror(file) && !fsync(fileno(file));
}
