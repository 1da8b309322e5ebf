// SPDX-License-Identifier: Apache-2.0

#include "process/system/process_search.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/file/close_fd.h"
#include "base/file/file_name.h"
#include "process/system/process_list.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A name with a slash is a path, and must be that of the program (/proc/PID/exe). A name alone may
// be that of the program's file, or what the process calls itself (/proc/PID/comm): scripts have
// the interpreter as their program.

static bool process_search_is_program(uint32_t pid, const char *name)
{
	char link[64], path[PATH_MAX];
	snprintf(link, sizeof(link), "/proc/%u/exe", pid);
	ssize_t length = readlink(link, path, sizeof(path) - 1);
	if (length < 0)
		return false;
	path[length] = '\0';
	if (strchr(name, '/')) {
		char wanted[PATH_MAX];
		return realpath(name, wanted) && strcmp(wanted, path) == 0;
	}
	return strcmp(file_name_of(path), name) == 0;
}

static bool is_called(uint32_t pid, const char *name)
{
	char path[64], comm[64];
	snprintf(path, sizeof(path), "/proc/%u/comm", pid);
	_cleanup_(close_fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, comm, sizeof(comm) - 1);
	if (length <= 0)
		return false;
	comm[length] = '\0';
	comm[strcspn(comm, "\n")] = '\0';
	return strcmp(comm, name) == 0;
}

struct error *process_search(const char *name, uint32_t **ret, size_t *ret_num)
{
	_cleanup_free_ uint32_t *pids = NULL;
	size_t num_pids;
	struct error *err = process_list(&pids, &num_pids);
	if (err)
		return err;
	size_t num_found = 0;
	for (size_t i = 0; i < num_pids; i++)
		if (pids[i] != (uint32_t)getpid() &&
		    (process_search_is_program(pids[i], name) || is_called(pids[i], name)))
			pids[num_found++] = pids[i];
	*ret = take_ptr(pids);
	*ret_num = num_found;
	return NULL;
}
