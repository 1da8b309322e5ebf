// SPDX-License-Identifier: Apache-2.0

#include "base/file/folder.h"

#include "base/os/win_error.h"
#include "base/text/string_builder.h"
#include "base/text/wide_text.h"

#include <windows.h>

// FindFirstFileW() opens a folder and gives its first entry in one call, where opendir() gives
// none: the entry is kept until folder_next() asks for it. Each call reads one entry ahead.

struct folder {
	HANDLE search;
	WIN32_FIND_DATAW found; // not given out yet, if @has_found
	bool has_found;
	char *name; // given out last
};

struct error *folder_open(const char *path, struct folder **ret)
{
	_cleanup_(folder_closep) struct folder *folder = calloc(1, sizeof(*folder));
	if (!folder)
		return &error_no_memory;
	folder->search = INVALID_HANDLE_VALUE;
	_cleanup_(string_builder_deinit) struct string_builder pattern = STRING_BUILDER_INIT;
	_cleanup_free_ wchar_t *wide = NULL;
	string_builder_appendf(&pattern, "%s/*", path);
	if (pattern.failed)
		return &error_no_memory;
	struct error *err = wide_from_utf8(pattern.text, &wide);
	if (err)
		return err;
	folder->search = FindFirstFileW(wide, &folder->found);
	if (folder->search == INVALID_HANDLE_VALUE)
		return win_error(GetLastError(), "cannot open '%s'", path);
	folder->has_found = true;
	*ret = take_ptr(folder);
	return NULL;
}

const char *folder_next(struct folder *folder)
{
	if (!folder->has_found)
		return NULL;
	free(folder->name);
	folder->name = NULL;
	error_destroy(utf8_from_wide(folder->found.cFileName, &folder->name));
	folder->has_found = FindNextFileW(folder->search, &folder->found);
	return folder->name;
}

void folder_close(struct folder *folder)
{
	if (!folder)
		return;
	if (folder->search != INVALID_HANDLE_VALUE)
		FindClose(folder->search);
	free(folder->name);
	free(folder);
}
