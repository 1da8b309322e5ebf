// SPDX-License-Identifier: Apache-2.0

#include "base/file/file_rights.h"

// wperf.exe has the rights of its caller for all files. There is no set-user-ID, and nothing like
// root to whom all files are open.
bool file_rights_matter(void)
{
	return false;
}

struct error *file_rights_begin(const struct file_rights *rights, struct file_rights_scope *scope)
{
	*scope = (struct file_rights_scope){0};
	return NULL;
}

void file_rights_end(struct file_rights_scope *scope)
{
}
