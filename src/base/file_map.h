/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_FILE_MAP_H
#define WPERF_BASE_FILE_MAP_H

/**
 * A whole file, read only, in memory without copying where the system can map it. Files that
 * cannot be mapped (pipes, /proc, /sys) are read into memory instead, up to 1 GiB: a device may
 * have no end. A file that shrinks while it is mapped ends the process: use this for files that
 * nobody is writing. Opening a pipe waits for its writer.
 */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct file_map {
	const void *data; /* NULL for an empty file */
	size_t size;
	bool mapped; /* private: data is a mapping, not malloc'd */
};

#define FILE_MAP_INIT \
	{             \
	}

enum { FILE_MAP_MAX_READ = 1 << 30 };

/**
 * @map:  set only on success.
 * @path: UTF-8. Directories and missing files (ERROR_ABSENT) are errors that name the path.
 */
struct error *file_map_open(struct file_map *map, const char *path);

/**
 * The same of a file that is open: from its beginning, whatever was read of it or written to it.
 * The stream may be closed afterwards. @name: for errors.
 */
struct error *file_map_of_stream(struct file_map *map, FILE *stream, const char *name);

/** Give back the memory of what was looked at so far; it comes from the file again when it is
 * looked at again. For who reads files that are larger than the memory. Does nothing if not mapped.
 */
void file_map_drop(const struct file_map *map);

/** Safe on FILE_MAP_INIT and twice. */
void file_map_close(struct file_map *map);

#endif
