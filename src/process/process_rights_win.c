// SPDX-License-Identifier: Apache-2.0

#include "process/process_users.h"

// Files are opened with the rights of wperf's caller: see base/file/file_rights_win.c.
struct file_rights process_rights_read(uint32_t pid)
{
	return (struct file_rights){0};
}

bool process_users_matter(void)
{
	return false;
}

struct error *process_users_add_ourselves(struct process_users *users)
{
	return NULL;
}
