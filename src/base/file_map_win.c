// SPDX-License-Identifier: Apache-2.0

#include "base/file_map.h"

#include "base/array.h"

#include <io.h>
#include <stdint.h>
#include <windows.h>

enum { READ_STEP = 1 << 16 };

static void close_handle(HANDLE *handle)
{
	if (*handle && *handle != INVALID_HANDLE_VALUE)
		CloseHandle(*handle);
}

static bool is_missing(DWORD code)
{
	return code == ERROR_FILE_NOT_FOUND || code == ERROR_PATH_NOT_FOUND ||
	       code == ERROR_INVALID_NAME || code == ERROR_BAD_NETPATH;
}

// The system's words for its error codes come in UTF-16 and with a line end.
static struct error *system_error(const char *verb, const char *path, DWORD code)
{
	enum error_code kind = is_missing(code) ? ERROR_ABSENT : ERROR_FAILED;
	wchar_t wide[256];
	DWORD length = FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS |
					      FORMAT_MESSAGE_MAX_WIDTH_MASK,
				      NULL, code, 0, wide, ARRAY_SIZE(wide), NULL);
	while (length && (wide[length - 1] == L' ' || wide[length - 1] == L'.'))
		length--;
	char words[3 * ARRAY_SIZE(wide)];
	int size = WideCharToMultiByte(CP_UTF8, 0, wide, (int)length, words, sizeof(words), NULL,
				       NULL);
	if (size <= 0)
		return error_create(kind, "cannot %s '%s': error %lu", verb, path, code);
	return error_create(kind, "cannot %s '%s': %.*s", verb, path, size, words);
}

static struct error *widen_path(const char *path, wchar_t **ret)
{
	int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, NULL, 0);
	if (length <= 0)
		return system_error("open", path, GetLastError());
	wchar_t *wide = calloc((size_t)length, sizeof(*wide));
	if (!wide)
		return &error_no_memory;
	MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, length);
	*ret = wide;
	return NULL;
}

// What cannot be mapped does not know its size either: read until the end.
static struct error *read_all(HANDLE file, const char *path, struct file_map *ret)
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
			return system_error("read", path, GetLastError());
		if (!good || count == 0)
			break;
		size += count;
		if (size > FILE_MAP_MAX_READ)
			return error_create(ERROR_FAILED, "cannot read '%s': more than %d bytes",
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

struct error *file_map_open(struct file_map *map, const char *path)
{
	_cleanup_free_ wchar_t *wide = NULL;
	struct error *err = widen_path(path, &wide);
	if (err)
		return err;
	_cleanup_(close_handle) HANDLE file =
		CreateFileW(wide, GENERIC_READ,
			    FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
			    OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
	if (file == INVALID_HANDLE_VALUE)
		return system_error("open", path, GetLastError());
	return map_whole(file, map) ? NULL : read_all(file, path, map);
}

struct error *file_map_of_stream(struct file_map *map, FILE *stream, const char *name)
{
	bool failed = fflush(stream) || fseek(stream, 0, SEEK_SET);
	HANDLE file = failed ? INVALID_HANDLE_VALUE : (HANDLE)_get_osfhandle(_fileno(stream));
	if (file == INVALID_HANDLE_VALUE)
		return system_error("read", name, GetLastError());
	return map_whole(file, map) ? NULL : read_all(file, name, map);
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
