/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_FILE_PATH_H
#define WPERF_BASE_FILE_PATH_H

/** Paths of files, in UTF-8 on every system. What fails leaves its reason in errno. */

#include <stdbool.h>
#include <stdio.h>

/**
 * @mode: "r" or "w". Bytes are read and written as they are; programs that we start do not get
 * the file. NULL if it cannot be opened.
 */
FILE *file_path_open(const char *path, const char *mode);

/** The same for reading, but only a file of bytes, at once: no pipe, device or folder. */
FILE *file_path_open_regular(const char *path);

/**
 * Open a new file for writing, which may be renamed while it is open. NULL, and EEXIST, if
 * something of this name is there.
 */
FILE *file_path_create(const char *path);

enum file_path_kind {
	FILE_PATH_ABSENT, /* or it may not be looked at */
	FILE_PATH_FILE,   /* of bytes */
	FILE_PATH_OTHER,  /* a folder, a pipe, a device */
};
enum file_path_kind file_path_kind(const char *path);

/** From the root on, to be freed; on Linux without links. NULL if there is no such file. */
char *file_path_whole(const char *path);

/** Make the folders above the last part of @path that are not there. */
bool file_path_make_folders(const char *path);

/**
 * Rename @from to @to, which it replaces in one step; both are in one folder. False, and EBUSY: @to
 * is in use. On Windows that is a file which any program has open; as virus scanners open new files
 * for a moment, it waits a little for them.
 */
bool file_path_rename(const char *from, const char *to);

void file_path_remove(const char *path);

/** What stands between the paths of a list, as in PATH. */
extern const char file_path_list_separator;

#endif
