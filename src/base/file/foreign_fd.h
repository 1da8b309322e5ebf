/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_FILE_FOREIGN_FD_H
#define WPERF_BASE_FILE_FOREIGN_FD_H

/** What base/file/foreign_file.h does, for code of Linux that wants the descriptor. */

#include "base/error.h"
#include "base/file/file_rights.h"

#include <sys/stat.h>

enum foreign_fd_kind {
	FOREIGN_FD_DISK,        /* no file of /proc, /sys and the like */
	FOREIGN_FD_DISK_NOLINK, /* nor a symbolic link */
	FOREIGN_FD_KERNEL,      /* any regular file: for names that are our own */
};

/**
 * Open a regular file for reading.
 * @ret_fd:     to be closed, also after an error, if it is not -1.
 * @ret_status: of the open file.
 */
struct error *foreign_fd_open(const char *path, enum foreign_fd_kind kind, int *ret_fd,
			      struct stat *ret_status);

/** The same with the rights and from the root folder of others. NULL: with our own, from ours. */
struct error *foreign_fd_open_as(const struct file_rights *rights, const char *path,
				 enum foreign_fd_kind kind, int *ret_fd, struct stat *ret_status);

/**
 * The same below a folder, out of which no link leads. ERROR_ABSENT also if the kernel cannot do it
 * (before Linux 5.6). @path: from the folder on.
 */
struct error *foreign_fd_open_below(const char *folder, const char *path, int *ret_fd,
				    struct stat *ret_status);

#endif
