/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_FILE_FILE_PATH_H
#define WPERF_BASE_FILE_FILE_PATH_H

/** Files by their paths, which are UTF-8 on every system. Functions that fail set errno. */

#include <stdbool.h>
#include <stdio.h>

/**
 * As fopen(), but in binary mode, and programs that we start do not inherit the file. A new file
 * may be read by its owner only; the rights of an old one are kept.
 * @mode: "r", "w" or "a".
 */
FILE *file_path_open(const char *path, const char *mode);

/** Open a regular file for reading. NULL for pipes, devices and folders; never waits. */
FILE *file_path_open_regular(const char *path);

/**
 * A file for writing without a name, next to @path: it is gone with its process. NULL if the system
 * or the file system has none.
 */
FILE *file_path_create_nameless(const char *path);

/** Name such a file. False, with errno: EEXIST if @path exists. */
bool file_path_give_name(FILE *file, const char *path);

/** Create a file for writing that can be renamed while it is open, for its owner only. NULL, with
 *  EEXIST, if @path exists. */
FILE *file_path_create(const char *path);

enum file_path_kind {
	FILE_PATH_ABSENT, /* or not accessible */
	FILE_PATH_FILE,   /* a regular file */
	FILE_PATH_OTHER,  /* a folder, a pipe, a device */
};
enum file_path_kind file_path_kind(const char *path);

/** The absolute path, to be freed; on Linux with links resolved. NULL if there is no such file. */
char *file_path_whole(const char *path);

/** Create the missing folders above the last part of @path. */
bool file_path_make_folders(const char *path);

/**
 * Rename @from to @to, which it replaces in one step; both are in one folder. False, and EBUSY: @to
 * is in use. On Windows that is a file which any program has open; as virus scanners open new files
 * for a moment, it waits a little for them.
 */
bool file_path_rename(const char *from, const char *to);

void file_path_remove(const char *path);

/** Have what was written on the disk, where it survives a crash of the computer. False, with errno:
 *  it is not. */
bool file_path_sync(FILE *file);

/** The separator of lists of paths, as in PATH. */
extern const char file_path_list_separator;

#endif
