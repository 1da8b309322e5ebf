/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_FILE_FILE_NAME_H
#define WPERF_BASE_FILE_FILE_NAME_H

#include "base/text/ascii.h"

#include <stdbool.h>
#include <string.h>

/** Is it a path of Windows? On every system: "C:\\a.exe", "\\\\host\\a.exe", "bin\\a.exe". */
static inline bool file_name_has_backslashes(const char *path)
{
	const char *slash = strpbrk(path, "/\\");
	return slash && *slash == '\\';
}

/** "C:\\a.dll": a drive letter and an absolute path, which only Windows has. */
static inline bool file_name_has_drive(const char *path)
{
	char drive = ascii_lower(path[0]);
	return drive >= 'a' && drive <= 'z' && path[1] == ':' && path[2] == '\\';
}

/** The part after the last slash or, in a path of Windows, backslash. */
static inline const char *file_name_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *backslash = file_name_has_backslashes(path) ? strrchr(path, '\\') : NULL;
	if (!slash || (backslash && backslash > slash))
		slash = backslash;
	return slash ? slash + 1 : path;
}

/** The same for who has to show a name: a path that ends with a separator is its own. */
static inline const char *file_name_to_show(const char *path)
{
	const char *name = file_name_of(path);
	return *name ? name : path;
}

/** Is @wanted the whole path or the end of it, from a separator on? "loop.c" matches any file of
 *  that name, "src/loop.c" one in any folder src. */
static inline bool file_name_is_wanted(const char *path, const char *wanted)
{
	size_t length = strlen(path), end = strlen(wanted);
	if (end > length || strcmp(path + length - end, wanted) != 0)
		return false;
	char before = end == length ? '/' : path[length - end - 1];
	return before == '/' || (before == '\\' && file_name_has_backslashes(path));
}

#endif
