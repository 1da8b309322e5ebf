// SPDX-License-Identifier: Apache-2.0

#include "catalog/linux/sysfs_folder.h"

#include "base/cleanup.h"
#include "base/file/close_fd.h"
#include "base/text/number.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A file of sysfs has one line of text (Documentation/filesystems/sysfs.rst), at most a page long.
// sysfs_read_line() asks for one byte more than that: if it comes, the file is none of sysfs.
// What is read goes into messages and tables, so it must be printable ASCII.

void sysfs_folder_deinit(struct sysfs_folder *folder)
{
	for (int i = 0; i < folder->num_entries; i++)
		free(folder->entries[i]);
	free(folder->entries);
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

// Not alphasort(): its order depends on the locale.
static int compare_entries(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

bool sysfs_folder_list(struct sysfs_folder *folder, int parent, const char *name)
{
	folder->num_entries =
		scandirat(parent, name, &folder->entries, is_visible, compare_entries);
	return folder->num_entries >= 0;
}

bool sysfs_is_printable(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (text[i] < ' ' || text[i] > '~')
			return false;
	return true;
}

bool sysfs_read_line(int parent, const char *name, char line[static SYSFS_TEXT_MAX + 1])
{
	// O_NONBLOCK: a pipe that pretends to be a file shall not hold us.
	_cleanup_(close_fd) int fd = openat(parent, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	ssize_t count = read(fd, line, SYSFS_TEXT_MAX + 1);
	if (count <= 0 || count > SYSFS_TEXT_MAX)
		return false;
	size_t length = (size_t)count;
	while (length && (line[length - 1] == '\n' || line[length - 1] == ' '))
		length--;
	line[length] = '\0';
	return length && sysfs_is_printable(line, length);
}

bool sysfs_read_number(int parent, const char *name, uint32_t *ret)
{
	char line[SYSFS_TEXT_MAX + 1];
	uint64_t number;
	if (!sysfs_read_line(parent, name, line) ||
	    number_parse_decimal(line, strlen(line), &number) != NUMBER_OK || number > UINT32_MAX)
		return false;
	*ret = (uint32_t)number;
	return true;
}
