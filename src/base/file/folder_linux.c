// SPDX-License-Identifier: Apache-2.0

#include "base/file/folder.h"

#include <dirent.h>
#include <errno.h>

// The struct of the header is never defined here: a folder is a DIR by another name.
struct error *folder_open(const char *path, struct folder **ret)
{
	DIR *folder = opendir(path);
	if (!folder)
		return error_create_errno(errno, "cannot open '%s'", path);
	*ret = (struct folder *)folder;
	return NULL;
}

const char *folder_next(struct folder *folder)
{
	const struct dirent *entry = readdir((DIR *)folder);
	return entry ? entry->d_name : NULL;
}

void folder_close(struct folder *folder)
{
	if (folder)
		closedir((DIR *)folder);
}
