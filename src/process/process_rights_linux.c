// SPDX-License-Identifier: Apache-2.0

#include "process/process_users.h"

#include "base/cleanup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// /proc/PID/status (proc(5)) has four users and groups: real, effective, saved and of the file
// system. The first one that is not root counts, so that a program that root's rights were lent to
// (set-user-ID) has those of its caller.

enum { NUM_KINDS = 4 }; /* real, effective, saved, of files */

static bool process_rights_read_numbers(const char *line, const char *label,
					uint32_t ret[NUM_KINDS])
{
	size_t length = strlen(label);
	return !strncmp(line, label, length) && sscanf(line + length, "%u %u %u %u", &ret[0],
						       &ret[1], &ret[2], &ret[3]) == NUM_KINDS;
}

/** The lines of users and groups follow each other. */
static void read_status(FILE *file, struct file_rights *ret)
{
	static const char groups_label[] = "Groups:";
	_cleanup_free_ char *line = NULL;
	size_t capacity = 0;
	uint32_t users[NUM_KINDS], groups[NUM_KINDS];
	bool has_users = false, has_groups = false;
	while (getline(&line, &capacity, file) > 0) {
		has_users |= process_rights_read_numbers(line, "Uid:", users);
		has_groups |= process_rights_read_numbers(line, "Gid:", groups);
		if (strncmp(line, groups_label, strlen(groups_label)) != 0)
			continue;
		// The user's other groups, as many as there is room for.
		const char *text = line + strlen(groups_label);
		int length;
		while (ret->num_groups < FILE_RIGHTS_MAX_GROUPS &&
		       sscanf(text, "%u%n", &ret->groups[ret->num_groups], &length) == 1) {
			ret->num_groups++;
			text += length;
		}
		break;
	}
	ret->is_known = has_users && has_groups;
	if (!ret->is_known)
		return;
	// Of a program that root gave its rights to, who called it; of one that gave them up, who
	// it is.
	size_t i = 0;
	while (i < NUM_KINDS - 1 && users[i] == 0)
		i++;
	ret->user = users[i];
	ret->group = groups[i];
}

struct file_rights process_rights_read(uint32_t pid)
{
	struct file_rights rights = {0};
	char path[64];
	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	FILE *file = fopen(path, "re");
	if (!file)
		return rights;
	read_status(file, &rights);
	fclose(file);
	// What was read of the groups is nothing without the user.
	return rights.is_known ? rights : (struct file_rights){0};
}

bool process_users_matter(void)
{
	return true;
}

struct error *process_users_add_ourselves(struct process_users *users)
{
	return process_users_add_running(users, (uint32_t)getpid());
}
