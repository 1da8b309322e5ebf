// SPDX-License-Identifier: Apache-2.0

#include "base/file_path.h"

#include <stdlib.h>
#include <sys/stat.h>

const char file_path_list_separator = ':';

FILE *file_path_open(const char *path, const char *mode)
{
	char mode_with_exec[] = {mode[0], 'e', '\0'};
	return fopen(path, mode_with_exec);
}

enum file_path_kind file_path_kind(const char *path)
{
	struct stat status;
	if (stat(path, &status) < 0)
		return FILE_PATH_ABSENT;
	return S_ISREG(status.st_mode) ? FILE_PATH_FILE : FILE_PATH_OTHER;
}

char *file_path_whole(const char *path)
{
	return realpath(path, NULL);
}
