// SPDX-License-Identifier: Apache-2.0

#include "process/system/process_search.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/os/close_handle.h"
#include "base/os/win_error.h"
#include "base/text/wide_text.h"
#include "process/memory/process_snapshot.h"
#include "process/process_handle.h"
#include "process/system/number_list.h"

#include <stdbool.h>
#include <stdlib.h>

/** What is looked for: a path if there is one, else a name. */
struct wanted {
	wchar_t *name;
	wchar_t *name_with_type; /* "python" may be "python.exe" */
	wchar_t *path;           /* whole, or NULL */
};

static void wanted_deinit(struct wanted *wanted)
{
	free(wanted->name);
	free(wanted->name_with_type);
	free(wanted->path);
}

static bool process_search_is_same_text(const wchar_t *a, const wchar_t *b)
{
	return CompareStringOrdinal(a, -1, b, -1, TRUE) == CSTR_EQUAL;
}

/** As programs' paths are told: from the drive on, with long names. */
static struct error *complete_path(const char *name, const wchar_t *wide, wchar_t **ret)
{
	_cleanup_free_ wchar_t *path = calloc(PROCESS_HANDLE_LONGEST_PATH, sizeof(*path));
	_cleanup_free_ wchar_t *full = calloc(PROCESS_HANDLE_LONGEST_PATH, sizeof(*full));
	if (!path || !full)
		return &error_no_memory;
	DWORD length = GetFullPathNameW(wide, PROCESS_HANDLE_LONGEST_PATH, full, NULL);
	if (!length || length >= PROCESS_HANDLE_LONGEST_PATH)
		return win_error(GetLastError(), "cannot look for '%s'", name);
	length = GetLongPathNameW(full, path, PROCESS_HANDLE_LONGEST_PATH);
	// Of what is not there, or not ours to see, the path as it was said will do.
	bool is_there = length && length < PROCESS_HANDLE_LONGEST_PATH;
	*ret = is_there ? take_ptr(path) : take_ptr(full);
	return NULL;
}

static struct error *wanted_init(struct wanted *wanted, const char *name)
{
	struct error *err = wide_from_utf8(name, &wanted->name);
	if (err)
		return err;
	if (wcspbrk(wanted->name, L"\\/:"))
		return complete_path(name, wanted->name, &wanted->path);
	static const wchar_t type[] = L".exe";
	size_t length = wcslen(wanted->name);
	wanted->name_with_type = calloc(length + ARRAY_SIZE(type), sizeof(*wanted->name));
	if (!wanted->name_with_type)
		return &error_no_memory;
	wcscpy(wanted->name_with_type, wanted->name);
	wcscpy(wanted->name_with_type + length, type);
	return NULL;
}

static bool process_search_is_wanted(const struct wanted *wanted, const PROCESSENTRY32W *process)
{
	if (!wanted->path)
		return process_search_is_same_text(process->szExeFile, wanted->name) ||
		       process_search_is_same_text(process->szExeFile, wanted->name_with_type);
	_cleanup_(close_handle) HANDLE handle =
		process_handle_try(process->th32ProcessID, PROCESS_QUERY_LIMITED_INFORMATION);
	_cleanup_free_ wchar_t *path = handle ? process_handle_wide_path(handle) : NULL;
	return path && process_search_is_same_text(path, wanted->path);
}

struct error *process_search(const char *name, uint32_t **ret, size_t *ret_num)
{
	_cleanup_(wanted_deinit) struct wanted wanted = {0};
	struct error *err = wanted_init(&wanted, name);
	if (err)
		return err;
	_cleanup_(close_handle) HANDLE snapshot = NULL;
	err = process_snapshot_take(TH32CS_SNAPPROCESS, &snapshot);
	_cleanup_(number_list_deinit) struct number_list pids = NUMBER_LIST_INIT;
	PROCESSENTRY32W process = {.dwSize = sizeof(process)};
	for (BOOL more = !err && Process32FirstW(snapshot, &process); !err && more;
	     more = Process32NextW(snapshot, &process))
		if (process.th32ProcessID != GetCurrentProcessId() &&
		    process_search_is_wanted(&wanted, &process))
			err = number_list_add(&pids, process.th32ProcessID);
	if (!err)
		number_list_finish(&pids, ret, ret_num);
	return err;
}
