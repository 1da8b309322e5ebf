// SPDX-License-Identifier: Apache-2.0

#include "base/file/file_map.h"

#include "base/container/array.h"
#include "base/file/file_map_handle.h"
#include "base/file/file_path.h"
#include "base/os/close_handle.h"
#include "base/os/win_error.h"
#include "base/text/wide_text.h"

#include <errno.h>
#include <io.h>
#include <stdint.h>

// What is on a disk is mapped; the rest (pipes, consoles, empty files, which cannot be mapped) is
// read into memory up to a limit. A mapped file needs no guard as on Linux: Windows refuses to cut
// off a file that is mapped.

enum { READ_STEP = 1 << 16 };

// What cannot be mapped does not know its size either: read until the end.
static struct error *file_map_read_all(HANDLE file, const char *path, struct file_map *ret)
{
	_cleanup_free_ unsigned char *data = NULL;
	size_t size = 0;
	size_t capacity = 0;
	for (;;) {
		struct error *err = array_reserve(&data, &capacity, size + READ_STEP);
		if (err)
			return err;
		DWORD count = 0;
		BOOL good = ReadFile(file, data + size, READ_STEP, &count, NULL);
		// The other end of a pipe was closed: that is its end of file.
		if (!good && GetLastError() != ERROR_BROKEN_PIPE)
			return win_error(GetLastError(), "cannot read '%s'", path);
		if (!good || count == 0)
			break;
		size += count;
		if (size > FILE_MAP_MAX_READ)
			return error_create(ERROR_FAILED, "cannot read '%s': larger than %d bytes",
					    path, FILE_MAP_MAX_READ);
	}
	*ret = (struct file_map){.data = size ? take_ptr(data) : NULL, .size = size};
	return NULL;
}

// False if it cannot be mapped.
static bool map_whole(HANDLE file, struct file_map *ret)
{
	LARGE_INTEGER size;
	if (GetFileType(file) != FILE_TYPE_DISK || !GetFileSizeEx(file, &size))
		return false;
	if (size.QuadPart <= 0 || (uint64_t)size.QuadPart > PTRDIFF_MAX)
		return false;
	// A view keeps its mapping and its file alive: both handles may go.
	_cleanup_(close_handle) HANDLE mapping =
		CreateFileMappingW(file, NULL, PAGE_READONLY, 0, 0, NULL);
	if (!mapping)
		return false;
	const void *data = MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, (SIZE_T)size.QuadPart);
	if (!data)
		return false;
	*ret = (struct file_map){.data = data, .size = (size_t)size.QuadPart, .mapped = true};
	return true;
}

struct error *file_map_of_handle(struct file_map *map, void *handle, const char *path)
{
	return map_whole(handle, map) ? NULL : file_map_read_all(handle, path, map);
}

struct error *file_map_open(struct file_map *map, const char *path)
{
	_cleanup_free_ wchar_t *wide = NULL;
	struct error *err = wide_from_utf8(path, &wide);
	if (err)
		return err;
	_cleanup_(close_handle) HANDLE file =
		CreateFileW(wide, GENERIC_READ,
			    FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
			    OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
	DWORD code = GetLastError();
	if (file == INVALID_HANDLE_VALUE && file_path_kind(path) == FILE_PATH_OTHER)
		return error_create_errno(EISDIR, "cannot open '%s'", path);
	if (file == INVALID_HANDLE_VALUE)
		return win_error(code, "cannot open '%s'", path);
	return file_map_of_handle(map, file, path);
}

struct error *file_map_of_stream(struct file_map *map, FILE *stream, const char *name)
{
	bool failed = fflush(stream) || fseek(stream, 0, SEEK_SET);
	HANDLE file = failed ? INVALID_HANDLE_VALUE : (HANDLE)_get_osfhandle(_fileno(stream));
	if (file == INVALID_HANDLE_VALUE)
		return win_error(GetLastError(), "cannot read '%s'", name);
	return file_map_of_handle(map, file, name);
}

bool file_map_is_of_stranger(const struct file_map *map)
{
	return false;
}

// Windows trims the pages of a mapped file by itself when memory is wanted.
void file_map_drop(const struct file_map *map)
{
}

void file_map_close(struct file_map *map)
{
	if (map->mapped)
		UnmapViewOfFile(map->data);
	else
		free((void *)map->data);
	*map = (struct file_map)FILE_MAP_INIT;
}
