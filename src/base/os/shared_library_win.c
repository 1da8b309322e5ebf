// SPDX-License-Identifier: Apache-2.0

#include "base/os/shared_library.h"

#include "base/text/wide_text.h"

#include <windows.h>

void *shared_library_open(const char *name)
{
	_cleanup_free_ wchar_t *wide = NULL;
	error_destroy(wide_from_utf8(name, &wide));
	// Not the current folder, and not PATH: see the header.
	return wide ? LoadLibraryExW(wide, NULL, LOAD_LIBRARY_SEARCH_DEFAULT_DIRS) : NULL;
}

bool shared_library_find(void *library, const char *function, void *ret)
{
	FARPROC address = GetProcAddress(library, function);
	memcpy(ret, &address, sizeof(address));
	return address;
}

void shared_library_close(void *library)
{
	if (library)
		FreeLibrary(library);
}

const char *shared_library_hint(const char *install)
{
	return install;
}
