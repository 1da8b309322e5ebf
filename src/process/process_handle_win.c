// SPDX-License-Identifier: Apache-2.0

#include "process/process_handle.h"

#include "base/cleanup.h"
#include "base/file/file_time.h"
#include "base/os/close_handle.h"
#include "base/os/win_error.h"
#include "base/text/wide_text.h"
#include "process/system/debug_right.h"

#include <stdlib.h>

// Windows checks rights when a handle is opened and not when it is used. Each function asks for the
// least that it needs. Where access is denied, the right to debug is switched on, which
// administrators have but do not use, and the handle is opened again.

HANDLE process_handle_try(uint32_t pid, DWORD access)
{
	HANDLE process = OpenProcess(access, FALSE, pid);
	if (process || GetLastError() != ERROR_ACCESS_DENIED)
		return process;
	if (debug_right_switch_on())
		return OpenProcess(access, FALSE, pid);
	SetLastError(ERROR_ACCESS_DENIED);
	return NULL;
}

struct error *process_handle_open(uint32_t pid, DWORD access, const char *purpose, HANDLE *ret)
{
	HANDLE process = process_handle_try(pid, access);
	if (process) {
		*ret = process;
		return NULL;
	}
	DWORD code = GetLastError();
	// What OpenProcess() says of a number that no process has.
	if (code == ERROR_INVALID_PARAMETER)
		return error_with_hint(error_create(ERROR_FAILED,
						    "cannot %s process %u: No such process",
						    purpose, pid),
				       "give the ID of a running process");
	struct error *err = win_error(code, "cannot %s process %u", purpose, pid);
	if (code != ERROR_ACCESS_DENIED)
		return err;
	return error_with_hint(
		err, "for processes of other users or of an administrator, use a console opened "
		     "with \"Run as administrator\"; protected system processes cannot be read");
}

wchar_t *process_handle_wide_path(HANDLE process)
{
	_cleanup_free_ wchar_t *path = calloc(PROCESS_HANDLE_LONGEST_PATH, sizeof(*path));
	DWORD length = PROCESS_HANDLE_LONGEST_PATH;
	bool is_known = path && QueryFullProcessImageNameW(process, 0, path, &length);
	return is_known ? take_ptr(path) : NULL;
}

char *process_handle_path(HANDLE process)
{
	_cleanup_free_ wchar_t *wide = process_handle_wide_path(process);
	char *path = NULL;
	if (wide)
		error_destroy(utf8_from_wide(wide, &path));
	return path;
}

uint64_t process_handle_birth_ns(HANDLE process)
{
	FILETIME created, ended, kernel, user;
	if (!GetProcessTimes(process, &created, &ended, &kernel, &user))
		return 0;
	return file_time_wall_ns(file_time_ticks(created));
}
