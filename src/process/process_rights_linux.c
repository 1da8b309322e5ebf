// SPDX-License-Identifier: Apache-2.0

#include "process/process_users.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { NUM_KINDS = 4 }; /* real, effective, saved, of files */

static bool is_same(const char *left, const char *right)
{
	struct stat a, b;
	return stat(left, &a) == 0 && stat(right, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

/** Paths of a container lead elsewhere, and its root need not be root here. */
static bool sees_our_files(uint32_t pid)
{
	char namespace[64], root[64];
	snprintf(namespace, sizeof(namespace), "/proc/%u/ns/mnt", pid);
	snprintf(root, sizeof(root), "/proc/%u/root", pid);
	return is_same(namespace, "/proc/self/ns/mnt") && is_same(root, "/");
}

static bool read_numbers(const char *line, const char *label, uint32_t ret[NUM_KINDS])
{
	size_t length = strlen(label);
	return !strncmp(line, label, length) && sscanf(line + length, "%u %u %u %u", &ret[0],
						       &ret[1], &ret[2], &ret[3]) == NUM_KINDS;
}

static bool read_status(uint32_t pid, uint32_t users[NUM_KINDS], uint32_t groups[NUM_KINDS])
{
	char path[64], line[256];
	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	FILE *file = fopen(path, "re");
	bool has_users = false, has_groups = false;
	while (file && !has_groups && fgets(line, sizeof(line), file)) {
		has_users |= read_numbers(line, "Uid:", users);
		has_groups |= has_users && read_numbers(line, "Gid:", groups);
	}
	if (file)
		fclose(file);
	return has_groups;
}

/** Of a program that root gave its rights to, who called it; of one that gave them up, who it is.
 */
struct file_rights process_rights_read(uint32_t pid)
{
	uint32_t users[NUM_KINDS], groups[NUM_KINDS];
	if (!read_status(pid, users, groups))
		return (struct file_rights){0};
	size_t i = 0;
	while (i < NUM_KINDS - 1 && users[i] == 0)
		i++;
	bool is_ours = users[i] != 0 || sees_our_files(pid);
	return (struct file_rights){.is_known = is_ours, .user = users[i], .group = groups[i]};
}
