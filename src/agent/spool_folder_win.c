// SPDX-License-Identifier: Apache-2.0

#include "agent/spool_folder.h"

#include "base/os/close_handle.h"
#include "base/os/win_error.h"
#include "base/text/wide_text.h"

#include <stdlib.h>

struct spool_folder_lock {
	HANDLE handle;
};

// A file that is open without sharing is opened by nobody else.
struct error *spool_folder_lock(const char *path, struct spool_folder_lock **ret)
{
	_cleanup_free_ struct spool_folder_lock *lock = malloc(sizeof(*lock));
	_cleanup_free_ wchar_t *wide = NULL;
	if (!lock)
		return &error_no_memory;
	struct error *err = wide_from_utf8(path, &wide);
	if (err)
		return err;
	lock->handle =
		CreateFileW(wide, GENERIC_WRITE, 0, NULL, OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
	if (lock->handle == INVALID_HANDLE_VALUE) {
		DWORD code = GetLastError();
		if (code != ERROR_SHARING_VIOLATION)
			return win_error(code, "cannot open '%s'", path);
		return error_with_hint(error_create(ERROR_FAILED, "another agent has locked '%s'",
						    path),
				       "stop it, or give this one a folder with --spool");
	}
	*ret = take_ptr(lock);
	return NULL;
}

void spool_folder_unlock(struct spool_folder_lock *lock)
{
	if (!lock)
		return;
	close_handle(&lock->handle);
	free(lock);
}

// NTFS writes names to its journal by itself; nothing syncs a folder there.
bool spool_folder_sync(const char *path)
{
	return true;
}
