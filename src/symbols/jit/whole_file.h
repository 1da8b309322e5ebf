/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SYMBOLS_JIT_WHOLE_FILE_H
#define WPERF_SYMBOLS_JIT_WHOLE_FILE_H

/**
 * A file that somebody may still be writing, copied into memory: what becomes of it later does not
 * matter. No link, pipe or device is opened in its stead.
 */

#include "base/error.h"
#include "base/file/file_rights.h"

#include <stddef.h>
#include <stdint.h>

struct whole_file {
	char *bytes; /* NUL behind the last one */
	size_t size;
	uint32_t owner; /* user id */
};

#define WHOLE_FILE_INIT \
	{               \
	}

/** A missing file is ERROR_ABSENT; one of more than @max_size bytes is refused. @rights: with whose
 *  rights, and in which root folder; NULL: with our own. */
struct error *whole_file_read(struct whole_file *file, const char *path, size_t max_size,
			      const struct file_rights *rights);

/** The same of a file of /proc, whose name is our own. */
struct error *whole_file_read_kernel(struct whole_file *file, const char *path, size_t max_size);

void whole_file_deinit(struct whole_file *file);

#endif
