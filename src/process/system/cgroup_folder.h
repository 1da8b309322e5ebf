/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_SYSTEM_CGROUP_FOLDER_H
#define WPERF_PROCESS_SYSTEM_CGROUP_FOLDER_H

/** Control groups of Linux (cgroups(7)) by their names, as perf events take them. */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct cgroup_folder {
	int fd;     /* for perf_event_open(2) */
	char *name; /* as the user wrote it */
	char *path;
};

struct cgroup_folders {
	struct cgroup_folder *items;
	size_t num_items, cap_items;
};

#define CGROUP_FOLDERS_INIT \
	{                   \
	}

/**
 * Where control groups that perf events can be limited to are mounted: version 1 with perf_event,
 * else version 2.
 * @mounts: text like that of /proc/self/mountinfo. @ret: to be freed.
 */
struct error *cgroup_mount_find(const char *mounts, char **ret);

/**
 * Open "GROUP,GROUP". A name is a path from the mount on, with or without the mount before it.
 * Linux only.
 */
struct error *cgroup_folders_open(const char *names, struct cgroup_folders *ret);
void cgroup_folders_close(struct cgroup_folders *folders);

/** Does its path lead to no group any more? */
bool cgroup_folder_has_ended(const struct cgroup_folder *folder);

#endif
