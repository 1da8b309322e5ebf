/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_LINUX_SYSFS_FOLDER_H
#define WPERF_CATALOG_LINUX_SYSFS_FOLDER_H

/** Reads folders of sysfs, and their files of one line. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dirent;

// A file of sysfs is never longer than a page.
enum { SYSFS_TEXT_MAX = 4096 };

/** The names in a folder, sorted. */
struct sysfs_folder {
	struct dirent **entries;
	int num_entries;
};

#define SYSFS_FOLDER_INIT \
	{                 \
	}

/** @parent, @name: as for openat(). False if it cannot be read. */
bool sysfs_folder_list(struct sysfs_folder *folder, int parent, const char *name);
void sysfs_folder_deinit(struct sysfs_folder *folder);

/** ASCII without control characters. */
bool sysfs_is_printable(const char *text, size_t length);

/** The line of a file; false unless it has exactly one line of text. */
bool sysfs_read_line(int parent, const char *name, char line[static SYSFS_TEXT_MAX + 1]);

/** The same for a decimal number. */
bool sysfs_read_number(int parent, const char *name, uint32_t *ret);

#endif
