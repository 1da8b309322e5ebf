// SPDX-License-Identifier: Apache-2.0

#include "base/file/foreign_file.h"

#include "base/cleanup.h"
#include "base/file/close_fd.h"
#include "base/file/file_map_fd.h"
#include "base/file/foreign_fd.h"

#include <inttypes.h>
#include <string.h>

// A folder that the user offers is tried first; if the file is missing there, it is opened with the
// rights and below the root of the program that named it. The checks are in
// base/file/foreign_fd_linux.c. Here are the limit of the size and the mapping.

static struct error *foreign_file_open_file(const char *path,
					    const struct foreign_file_rules *rules, int *ret_fd,
					    struct stat *ret_status)
{
	*ret_fd = -1;
	if (rules->root_length) {
		// What the user offers with a folder is open to wperf, where no link leads out of
		// it.
		_cleanup_free_ char *folder = strndup(path, rules->root_length);
		if (!folder)
			return &error_no_memory;
		struct error *err = foreign_fd_open_below(folder, path + rules->root_length, ret_fd,
							  ret_status);
		if (!err || err->code != ERROR_ABSENT)
			return err;
		error_destroy(err);
	}
	struct file_rights rights = {0};
	if (rules->rights)
		rights = *rules->rights;
	if (rules->root_length) // the user's folder is below our root
		rights.root = NULL;
	return foreign_fd_open_as(rules->rights ? &rights : NULL, path, FOREIGN_FD_DISK, ret_fd,
				  ret_status);
}

struct error *foreign_file_open(struct file_map *map, const char *path,
				const struct foreign_file_rules *rules)
{
	_cleanup_(close_fd) int fd = -1;
	struct stat status = {0};
	struct error *err = foreign_file_open_file(path, rules, &fd, &status);
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
