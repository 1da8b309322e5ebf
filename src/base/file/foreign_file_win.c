// SPDX-License-Identifier: Apache-2.0

#include "base/file/foreign_file.h"

#include "base/file/file_map_handle.h"
#include "base/file/remote_path.h"
#include "base/os/close_handle.h"
#include "base/os/win_error.h"
#include "base/text/wide_text.h"

#include <inttypes.h>

// A path of another machine is refused by its name, before anything is opened: opening it would
// send the user's credentials there (NTLM). Then the kind and the size of what was opened are
// checked, of the open file, so that nothing can be exchanged in between.

struct error *foreign_file_open(struct file_map *map, const char *path,
				const struct foreign_file_rules *rules)
{
	if (!rules->may_be_remote && path_is_remote(path))
		return error_create(ERROR_FAILED, "cannot open '%s': it is on another machine",
				    path);
	_cleanup_free_ wchar_t *wide = NULL;
	struct error *err = wide_from_utf8(path, &wide);
	if (err)
		return err;
	// Who is at the other end of a pipe may not act in our name. Folders cannot be opened.
	const DWORD flags = FILE_ATTRIBUTE_NORMAL | SECURITY_SQOS_PRESENT | SECURITY_ANONYMOUS;
	_cleanup_(close_handle) HANDLE file =
		CreateFileW(wide, GENERIC_READ,
			    FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
			    OPEN_EXISTING, flags, NULL);
	if (file == INVALID_HANDLE_VALUE)
		return win_error(GetLastError(), "cannot open '%s'", path);
	LARGE_INTEGER size;
	if (GetFileType(file) != FILE_TYPE_DISK || !GetFileSizeEx(file, &size))
		return error_create(ERROR_FAILED, "'%s' is not a regular file", path);
	if ((uint64_t)size.QuadPart > rules->max_size)
		return error_create(ERROR_FAILED, "'%s' has more than %" PRIu64 " bytes", path,
				    rules->max_size);
	return file_map_of_handle(map, file, path);
}
