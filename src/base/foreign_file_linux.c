// SPDX-License-Identifier: Apache-2.0

#include "base/foreign_file.h"

#include "base/close_fd.h"
#include "base/file_map_fd.h"
#include "base/foreign_fd.h"

#include <inttypes.h>

struct error *foreign_file_open(struct file_map *map, const char *path,
				const struct foreign_file_rules *rules)
{
	_cleanup_(close_fd) int fd = -1;
	struct stat status;
	struct error *err = foreign_fd_open(path, FOREIGN_FD_DISK, &fd, &status);
	if (err)
		return err;
	if ((uint64_t)status.st_size > rules->max_size)
		return error_create(ERROR_FAILED, "'%s' has more than %" PRIu64 " bytes", path,
				    rules->max_size);
	if (status.st_size)
		return file_map_of_fd(map, fd, path);
	*map = (struct file_map)FILE_MAP_INIT; // file systems of users may have endless ones
	return NULL;
}
