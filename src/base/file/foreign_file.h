/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_FILE_FOREIGN_FILE_H
#define WPERF_BASE_FILE_FOREIGN_FILE_H

/**
 * The only way to open a file that a program, its debug information or a recording names: whoever
 * wrote these may not like us. Only regular files on a file system with real files are opened: a
 * pipe would wait for its writer, opening a device may do something (/dev/watchdog), and reading
 * /proc/kmsg takes messages from others. Nothing is checked by name before the file is opened, as
 * the name may lead elsewhere by then. What the user names is opened with file_map_open();
 * tests/lint/check_opens.py has the list of who may call it.
 */

#include "base/error.h"
#include "base/file/file_map.h"
#include "base/file/file_rights.h"

#include <stdbool.h>
#include <stdint.h>

/** Sizes of files. A mapped file costs no memory until it is read. */
#define FOREIGN_FILE_MAX_CODE (UINT64_C(16) << 30) /* objects and their debug information */
#define FOREIGN_FILE_MAX_TEXT (UINT64_C(64) << 20) /* source text, which is read as a whole */

struct foreign_file_rules {
	uint64_t max_size; /* a larger file is refused */
	/** The beginning of the path is the user's word: on Windows it may be on another machine.
	 */
	bool may_be_remote;
	const struct file_rights *rights; /* and the root folder; NULL: our own */
	/** So many bytes of the path are a folder of the user's. What is in it, and no link leads
	 *  out of it, is read with our own rights. */
	size_t root_length;
};

/**
 * @map:  set only on success; empty for an empty file.
 * @path: UTF-8. A missing file is ERROR_ABSENT.
 */
struct error *foreign_file_open(struct file_map *map, const char *path,
				const struct foreign_file_rules *rules);

#endif
