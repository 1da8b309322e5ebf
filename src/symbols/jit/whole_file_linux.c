// SPDX-License-Identifier: Apache-2.0

#include "symbols/jit/whole_file.h"

#include "base/container/array.h"
#include "base/file/close_fd.h"
#include "base/file/foreign_fd.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// The file is opened without following links (foreign_fd_linux.c), with the rights of the process's
// user where these are known. Sizes are checked twice: the size of the file, as a sparse file is
// quickly made, and the bytes read, as the file may grow meanwhile.

enum { READ_STEP = 1 << 20 };

/** Room for @step more bytes and the NUL. Files of /proc do not know their size. */
static struct error *whole_file_grow(struct whole_file *file, size_t *capacity, size_t step)
{
	return array_reserve(&file->bytes, capacity, file->size + step + 1);
}

static struct error *whole_file_read_file(struct whole_file *file, const char *path,
					  enum foreign_fd_kind kind, size_t max_size,
					  const struct file_rights *rights)
{
	_cleanup_(close_fd) int fd = -1;
	struct stat status;
	struct error *err = foreign_fd_open_as(rights, path, kind, &fd, &status);
	if (err)
		return err;
	_cleanup_(whole_file_deinit) struct whole_file whole = {.owner = status.st_uid};
	size_t capacity = 0, known_size = (size_t)status.st_size;
	if (known_size > max_size) // it may have holes, which are quickly written and slowly read
		return error_create(ERROR_FAILED, "'%s' has more than %zu bytes", path, max_size);
	err = whole_file_grow(&whole, &capacity, known_size);
	for (ssize_t count = 1; !err && count;) {
		err = whole_file_grow(&whole, &capacity, capacity - whole.size > 1 ? 0 : READ_STEP);
		if (err)
			return err;
		count = read(fd, whole.bytes + whole.size, capacity - whole.size - 1);
		if (count < 0 && errno != EINTR)
			return error_create_errno(errno, "cannot read '%s'", path);
		whole.size += count > 0 ? (size_t)count : 0;
		if (whole.size > max_size)
			return error_create(ERROR_FAILED, "'%s' has more than %zu bytes", path,
					    max_size);
	}
	if (err)
		return err;
	whole.bytes[whole.size] = '\0';
	*file = whole;
	whole = (struct whole_file)WHOLE_FILE_INIT;
	return NULL;
}

struct error *whole_file_read(struct whole_file *file, const char *path, size_t max_size,
			      const struct file_rights *rights)
{
	return whole_file_read_file(file, path, FOREIGN_FD_DISK_NOLINK, max_size, rights);
}

struct error *whole_file_read_kernel(struct whole_file *file, const char *path, size_t max_size)
{
	return whole_file_read_file(file, path, FOREIGN_FD_KERNEL, max_size, NULL);
}

void whole_file_deinit(struct whole_file *file)
{
	free(file->bytes);
	*file = (struct whole_file)WHOLE_FILE_INIT;
}
