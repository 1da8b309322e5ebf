/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_FILE_NAME_H
#define WPERF_BASE_FILE_NAME_H

#include <stdbool.h>
#include <string.h>

/**
 * What stands behind the last slash of a path; all of it if there is none. Paths come from both
 * systems on both: where a drive begins it, or there is no slash, a backslash is one, too.
 */
static inline const char *file_name_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	bool has_drive = path[0] && path[1] == ':';
	const char *backslash = has_drive || !slash ? strrchr(name, '\\') : NULL;
	return backslash ? backslash + 1 : name;
}

/** "loop.c" is any file of that name, "src/loop.c" one in such a folder. */
static inline bool file_name_is_wanted(const char *path, const char *wanted)
{
	size_t length = strlen(path), end = strlen(wanted);
	if (end > length || strcmp(path + length - end, wanted) != 0)
		return false;
	return end == length || strchr("/\\", path[length - end - 1]);
}

#endif
