/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_FILE_FILE_MAP_H
#define WPERF_BASE_FILE_FILE_MAP_H

/**
 * The bytes of a whole file, read only: mapped if possible. Files that cannot be mapped (pipes,
 * /proc, /sys) are read into memory, up to 1 GiB, as a device may have no end; so are on Linux
 * files of up to 64 MiB where nothing guards mappings (base/file/mapping_guard.h). Larger ones are
 * mapped without a guard there: who shortens one meanwhile ends the process. Opening a pipe waits
 * for its writer. Use this for files that the user names; for files that a program or a recording
 * names, see base/file/foreign_file.h.
 *
 * A mapped file may change while it is read: copy what you check, and check the copy. Bytes that
 * were cut off meanwhile read as zeros (base/file/mapping_guard.h).
 */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct file_map {
	const void *data; /* NULL for an empty file */
	size_t size;
	uint64_t inode;      /* of Linux; 0: not known, as the generation */
	uint32_t generation; /* tells files apart that had the same inode one after another */
	uint32_t owner;      /* of Linux: its user */
	bool mapped;         /* private: data is a mapping, not malloc'd */
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

/** Does a file (not a pipe) belong to neither us nor root? Of Windows this is not asked. */
bool file_map_is_of_stranger(const struct file_map *map);

/**
 * The same for an open file, from its beginning, whatever the position of the stream. The stream
 * may be closed afterwards. @name: for errors.
 */
struct error *file_map_of_stream(struct file_map *map, FILE *stream, const char *name);

/**
 * Release the memory of the pages that were read so far; they are read from the file again if
 * needed. For callers that read files larger than the memory. Does nothing if the file is not
 * mapped.
 */
void file_map_drop(const struct file_map *map);

/** Accepts FILE_MAP_INIT, and a map that was closed before. */
void file_map_close(struct file_map *map);

#endif
