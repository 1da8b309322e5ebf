// SPDX-License-Identifier: Apache-2.0

#include "base/file/file_path.h"

#include "base/container/array.h"
#include "base/os/close_handle.h"
#include "base/text/wide_text.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>

// Paths are converted from UTF-8 to UTF-16 in every function, and errors of the system to errno, so
// that callers need no cases. Renaming over a file that another program has open fails for a
// moment: file_path_rename() tries ten times within a fifth of a second. The system reports an open
// target as "access denied"; is_open() tells the two apart.

const char file_path_list_separator = ';';

/** NULL, and errno, if it cannot be a path. */
static wchar_t *file_path_widen(const char *path)
{
	wchar_t *wide = NULL;
	struct error *err = wide_from_utf8(path, &wide);
	if (err)
		errno = err->code == ERROR_NO_MEMORY ? ENOMEM : EILSEQ;
	error_destroy(err);
	return wide;
}

static void set_errno(void)
{
	static const struct {
		DWORD code;
		int errnum;
	} rows[] = {
		{ERROR_ACCESS_DENIED, EACCES},    {ERROR_FILE_EXISTS, EEXIST},
		{ERROR_SHARING_VIOLATION, EBUSY}, {ERROR_USER_MAPPED_FILE, EBUSY},
		{ERROR_DISK_FULL, ENOSPC},
	};
	DWORD code = GetLastError();
	errno = ENOENT;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (code == rows[i].code)
			errno = rows[i].errnum;
}

FILE *file_path_open(const char *path, const char *mode)
{
	// N: not inherited.
	const wchar_t wide_mode[] = {(wchar_t)mode[0], L'b', L'N', L'\0'};
	_cleanup_free_ wchar_t *wide = file_path_widen(path);
	FILE *file = wide ? _wfopen(wide, wide_mode) : NULL;
	// The C runtime says "permission denied" of folders.
	DWORD attributes = !file && wide && errno == EACCES ? GetFileAttributesW(wide)
							    : INVALID_FILE_ATTRIBUTES;
	if (attributes != INVALID_FILE_ATTRIBUTES && attributes & FILE_ATTRIBUTE_DIRECTORY)
		errno = EISDIR;
	return file;
}

FILE *file_path_open_regular(const char *path)
{
	return file_path_kind(path) == FILE_PATH_FILE ? file_path_open(path, "r") : NULL;
}

// There are none here.
FILE *file_path_create_nameless(const char *path)
{
	return NULL;
}

bool file_path_give_name(FILE *file, const char *path)
{
	errno = ENOTSUP;
	return false;
}

FILE *file_path_create(const char *path)
{
	_cleanup_free_ wchar_t *wide = file_path_widen(path);
	if (!wide)
		return NULL;
	// Streams of the C runtime do not let anybody rename their file.
	const DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
	HANDLE handle = CreateFileW(wide, GENERIC_WRITE, share, NULL, CREATE_NEW,
				    FILE_ATTRIBUTE_NORMAL, NULL);
	if (handle == INVALID_HANDLE_VALUE) {
		set_errno();
		return NULL;
	}
	int fd = _open_osfhandle((intptr_t)handle, _O_BINARY | _O_NOINHERIT);
	FILE *file = fd >= 0 ? _fdopen(fd, "wb") : NULL;
	// The descriptor owns the handle, and the stream the descriptor.
	if (!file && fd >= 0)
		_close(fd);
	else if (!file)
		CloseHandle(handle);
	return file;
}

enum file_path_kind file_path_kind(const char *path)
{
	_cleanup_free_ wchar_t *wide = file_path_widen(path);
	if (!wide)
		return FILE_PATH_ABSENT;
	DWORD attributes = GetFileAttributesW(wide);
	if (attributes == INVALID_FILE_ATTRIBUTES) {
		set_errno();
		return FILE_PATH_ABSENT;
	}
	DWORD other = FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_DEVICE;
	return attributes & other ? FILE_PATH_OTHER : FILE_PATH_FILE;
}

char *file_path_whole(const char *path)
{
	_cleanup_free_ wchar_t *wide = file_path_widen(path);
	if (!wide || GetFileAttributesW(wide) == INVALID_FILE_ATTRIBUTES)
		return NULL;
	DWORD size = GetFullPathNameW(wide, 0, NULL, NULL);
	_cleanup_free_ wchar_t *whole = calloc((size_t)size + 1, sizeof(*whole));
	char *text = NULL;
	if (whole && GetFullPathNameW(wide, size, whole, NULL))
		error_destroy(utf8_from_wide(whole, &text));
	return text;
}

static bool file_path_is_separator(wchar_t c)
{
	return c == L'/' || c == L'\\';
}

bool file_path_make_folders(const char *path)
{
	_cleanup_free_ wchar_t *wide = file_path_widen(path);
	for (wchar_t *at = wide; at && *at; at++) {
		// "C:" and a separator at the beginning are there.
		if (!file_path_is_separator(*at) || at == wide || at[-1] == L':' ||
		    file_path_is_separator(at[-1]))
			continue;
		wchar_t separator = *at;
		*at = L'\0';
		CreateDirectoryW(wide, NULL);
		*at = separator;
	}
	// Some cannot be made and are there, as the server of a path of a network: the last one
	// tells.
	wchar_t *end = wide ? wide + wcslen(wide) : NULL;
	while (end && end > wide && !file_path_is_separator(*end))
		end--;
	if (!wide || end == wide)
		return wide;
	*end = L'\0';
	if (GetFileAttributesW(wide) != INVALID_FILE_ATTRIBUTES)
		return true;
	set_errno();
	return false;
}

/** Who shares a file with nobody cannot open one that is open. */
static bool is_open(const wchar_t *path)
{
	_cleanup_(close_handle) HANDLE file = CreateFileW(
		path, GENERIC_READ, 0, NULL, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
	return file == INVALID_HANDLE_VALUE && GetLastError() == ERROR_SHARING_VIOLATION;
}

/** False, with errno. The system denies access to a file that is open as it does to others. */
static bool try_rename(const wchar_t *from, const wchar_t *to)
{
	if (MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING))
		return true;
	set_errno();
	if (errno != EACCES)
		return false;
	if (is_open(to)) {
		errno = EBUSY;
		return false;
	}
	// Closed since then, or not allowed at all.
	if (MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING))
		return true;
	set_errno();
	return false;
}

bool file_path_rename(const char *from, const char *to)
{
	enum { TRIES = 10, PAUSE_MS = 20 };
	_cleanup_free_ wchar_t *wide_from = file_path_widen(from);
	_cleanup_free_ wchar_t *wide_to = file_path_widen(to);
	bool is_done = wide_from && wide_to && try_rename(wide_from, wide_to);
	for (int i = 1; i < TRIES && wide_from && wide_to && !is_done && errno == EBUSY; i++) {
		Sleep(PAUSE_MS);
		is_done = try_rename(wide_from, wide_to);
	}
	return is_done;
}

void file_path_remove(const char *path)
{
	_cleanup_free_ wchar_t *wide = file_path_widen(path);
	if (wide)
		DeleteFileW(wide);
}

bool file_path_sync(FILE *file)
{
	return !fflush(file) && !ferror(file) && !_commit(_fileno(file));
}
