// SPDX-License-Identifier: Apache-2.0

#include "process/system/cgroup_folder.h"

struct error *cgroup_folders_open(const char *names, struct cgroup_folders *ret)
{
	return error_with_hint(error_create(ERROR_USAGE, "Windows has no control groups: '%s'",
					    names),
			       "-p takes process IDs");
}

void cgroup_folders_close(struct cgroup_folders *folders)
{
}

bool cgroup_folder_has_ended(const struct cgroup_folder *folder)
{
	return false;
}
