// SPDX-License-Identifier: Apache-2.0

#include "base/file_path.h"

#include "base/close_handle.h"
#include "base/wide_text.h"

#include <errno.h>

const char file_path_list_separator = ';';

/** NULL, and errno, if it cannot be a path. */
static wchar_t *widen(const char *path)
{
	wchar_t *wide = NULL;
	struct error *err = wide_from_utf8(path, &wide);
	if (err)
		errno = err->code == ERROR_NO_MEMORY ? ENOMEM : EILSEQ;
	error_destroy(err);
	return wide;
}

FILE *file_path_open(const char *path, const char *mode)
{
	// N: not inherited.
	const wchar_t wide_mode[] = {(wchar_t)mode[0], L'b', L'N', L'\0'};
	_cleanup_free_ wchar_t *wide = widen(path);
	return wide ? _wfopen(wide, wide_mode) : NULL;
}

enum file_path_kind file_path_kind(const char *path)
{
	_cleanup_free_ wchar_t *wide = widen(path);
	if (!wide)
		return FILE_PATH_ABSENT;
	DWORD attributes = GetFileAttributesW(wide);
	if (attributes == INVALID_FILE_ATTRIBUTES) {
		errno = GetLastError() == ERROR_ACCESS_DENIED ? EACCES : ENOENT;
		return FILE_PATH_ABSENT;
	}
	DWORD other = FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_DEVICE;
	return attributes & other ? FILE_PATH_OTHER : FILE_PATH_FILE;
}

char *file_path_whole(const char *path)
{
	_cleanup_free_ wchar_t *wide = widen(path);
	if (!wide || GetFileAttributesW(wide) == INVALID_FILE_ATTRIBUTES)
		return NULL;
	DWORD size = GetFullPathNameW(wide, 0, NULL, NULL);
	_cleanup_free_ wchar_t *whole = calloc((size_t)size + 1, sizeof(*whole));
	char *text = NULL;
	if (whole && GetFullPathNameW(wide, size, whole, NULL))
		error_destroy(utf8_from_wide(whole, &text));
	return text;
}
