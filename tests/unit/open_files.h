/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_OPEN_FILES_H
#define WPERF_TESTS_UNIT_OPEN_FILES_H

#include <dirent.h>
#include <stddef.h>

/** How many files this process has open, the one that is needed to count them among them. */
static inline size_t count_open_files(void)
{
	size_t count = 0;
	DIR *folder = opendir("/proc/self/fd");
	if (!folder)
		return 0;
	while (readdir(folder))
		count++;
	closedir(folder);
	return count;
}

#endif
