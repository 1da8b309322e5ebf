// SPDX-License-Identifier: Apache-2.0

#include "base/file/close_fd.h"
#include "base/file/file_map.h"

#include "base/container/array.h"
#include "base/file/file_map_fd.h"
#include "base/file/mapping_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// Regular files are mapped and guarded (mapping_guard_linux.c). If either fails, as in a process
// that has no guard, a file of up to FILE_MAP_MAX_COPY bytes is read into memory; so are files
// without a size (/proc, /sys, pipes), up to FILE_MAP_MAX_READ. Inode and generation identify the
// file in recordings (PERF_RECORD_MMAP2). The owner of anything but a regular file counts as
// ourselves.

enum { READ_STEP = 1 << 16, FILE_MAP_MAX_COPY = 64 << 20 };

static struct error *file_map_open_error(const char *path, int errnum)
{
	if (errnum == ENOENT || errnum == ENOTDIR)
		return error_create(ERROR_ABSENT, "cannot open '%s': %s", path, strerror(errnum));
	return error_create_errno(errnum, "cannot open '%s'", path);
}

/** As much as there is room for: files of /proc may change between two calls. The position of a
 *  regular file is its user's. */
static ssize_t file_map_read(int fd, bool is_regular, unsigned char *data, size_t at, size_t room)
{
	ssize_t count;
	do {
		count = is_regular ? pread(fd, data + at, room, (off_t)at)
				   : read(fd, data + at, room);
	} while (count < 0 && errno == EINTR);
	return count;
}

/** Until its end, as not every file knows its size. */
static struct error *file_map_read_all(int fd, bool is_regular, const char *path,
				       struct file_map *ret)
{
	_cleanup_free_ unsigned char *data = NULL;
	size_t size = 0;
	size_t capacity = 0;
	for (;;) {
		struct error *err = array_reserve(&data, &capacity, size + READ_STEP);
		if (err)
			return err;
		ssize_t count = file_map_read(fd, is_regular, data, size, capacity - size);
		if (count < 0)
			return error_create_errno(errno, "cannot read '%s'", path);
		if (count == 0)
			break;
		size += (size_t)count;
		if (size > FILE_MAP_MAX_READ)
			return error_create(ERROR_FAILED, "cannot read '%s': larger than %d bytes",
					    path, FILE_MAP_MAX_READ);
	}
	*ret = (struct file_map){.data = size ? take_ptr(data) : NULL, .size = size};
	return NULL;
}

struct error *file_map_of_fd(struct file_map *map, int fd, const char *path)
{
	struct stat status;
	if (fstat(fd, &status) < 0)
		return file_map_open_error(path, errno);
	if (S_ISDIR(status.st_mode))
		return file_map_open_error(path, EISDIR);

	struct file_map opened = FILE_MAP_INIT;
	bool is_regular = S_ISREG(status.st_mode);
	bool has_size = is_regular && status.st_size && status.st_size <= PTRDIFF_MAX;
	size_t size = (size_t)status.st_size;
	void *data = has_size ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
	// Large ones are mapped also where nothing guards them: a recording of gigabytes would not
	// fit into memory.
	if (data != MAP_FAILED &&
	    (mapping_guard_add(data, size, path) || size > FILE_MAP_MAX_COPY)) {
		opened = (struct file_map){.data = data, .size = size, .mapped = true};
	} else {
		if (data != MAP_FAILED)
			munmap(data, size);
		struct error *err = file_map_read_all(fd, is_regular, path, &opened);
		if (err)
			return err;
	}
	opened.inode = status.st_ino;
	opened.owner = is_regular ? status.st_uid : geteuid();
	// Inodes get used again for other files, but by file systems that number these. The call is
	// declared for a long, and most file systems write an int.
	long generation = 0;
	if (is_regular && ioctl(fd, FS_IOC_GETVERSION, &generation) == 0)
		opened.generation = (uint32_t)generation;
	*map = opened;
	return NULL;
}

struct error *file_map_open(struct file_map *map, const char *path)
{
	_cleanup_(close_fd) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	return fd < 0 ? file_map_open_error(path, errno) : file_map_of_fd(map, fd, path);
}

struct error *file_map_of_stream(struct file_map *map, FILE *stream, const char *name)
{
	int failed = fflush(stream) || fseeko(stream, 0, SEEK_SET) < 0;
	return failed ? file_map_open_error(name, errno)
		      : file_map_of_fd(map, fileno(stream), name);
}

bool file_map_is_of_stranger(const struct file_map *map)
{
	return map->owner != 0 && map->owner != geteuid();
}

void file_map_drop(const struct file_map *map)
{
	if (map->mapped)
		madvise((void *)map->data, map->size, MADV_DONTNEED);
}

void file_map_close(struct file_map *map)
{
	if (map->mapped) {
		mapping_guard_remove(map->data);
		munmap((void *)map->data, map->size);
	} else {
		free((void *)map->data);
	}
	*map = (struct file_map)FILE_MAP_INIT;
}
