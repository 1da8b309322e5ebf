// SPDX-License-Identifier: Apache-2.0

#include "agent/process_identity.h"

#include "base/file/first_line.h"
#include "process/system/process_command.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// /proc/PID/stat tells threads of the kernel (PF_KTHREAD in its field 9, include/linux/sched.h),
// /proc/PID/cgroup is for cgroup_names.h.

enum { PATH_SIZE = 64, FLAGS_FIELD = 9, PF_KTHREAD = 0x00200000 };

/** Returns how much was read. */
static size_t process_identity_load(uint32_t pid, const char *name, char *ret, size_t size)
{
	char path[PATH_SIZE];
	snprintf(path, sizeof(path), "/proc/%u/%s", pid, name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	ssize_t length = read(fd, ret, size);
	close(fd);
	return length > 0 ? (size_t)length : 0;
}

/** False: not there. */
static bool process_identity_read_flags(uint32_t pid, unsigned long *ret)
{
	char path[PATH_SIZE], line[512];
	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	first_line_read(path, line, sizeof(line));
	// The name before it may have spaces and brackets, too; field 3 is behind it.
	const char *field = strrchr(line, ')');
	for (int i = 2; field && i < FLAGS_FIELD; i++)
		field = strchr(field + 1, ' ');
	if (!field)
		return false;
	*ret = strtoul(field, NULL, 10);
	return true;
}

bool process_identity_read(uint32_t pid, struct process_identity *ret)
{
	unsigned long flags;
	*ret = (struct process_identity){.command = ""};
	// The idle task has no folder.
	if (!pid) {
		ret->is_kernel = true;
		return true;
	}
	if (!process_identity_read_flags(pid, &flags))
		return false;
	ret->is_kernel = flags & PF_KTHREAD;
	char text[CGROUP_NAMES_MAX_TEXT];
	size_t length = process_identity_load(pid, "cgroup", text, sizeof(text));
	cgroup_names_parse(text, length, &ret->cgroup);
	process_command_read(pid, ret->command, sizeof(ret->command));
	return true;
}
