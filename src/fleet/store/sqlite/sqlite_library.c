// SPDX-License-Identifier: Apache-2.0

#include "fleet/store/sqlite/sqlite_library.h"

#include "base/container/array.h"
#include "base/os/shared_library.h"

#include <stddef.h>

enum {
	// 3.37: STRICT tables, which keep texts out of columns of numbers.
	SQLITE_LIBRARY_OLDEST = 3037000,
};

static const struct {
	const char *name;
	size_t offset; // of the member
} functions[] = {
#define ROW(function) {#function, offsetof(struct sqlite_library, function)},
	SQLITE_LIBRARY_FUNCTIONS(ROW)
#undef ROW
};

static struct error *sqlite_library_refuse(void)
{
	return error_with_hint(error_create(ERROR_FAILED,
					    "libsqlite3.so.0 is missing, which reads and writes "
					    "stores"),
			       "%s", shared_library_hint("install the package libsqlite3-0"));
}

struct error *sqlite_library_load(struct sqlite_library *library)
{
	_cleanup_(sqlite_library_unload) struct sqlite_library loaded = SQLITE_LIBRARY_INIT;
	loaded.handle = shared_library_open("libsqlite3.so.0");
	if (!loaded.handle)
		return sqlite_library_refuse();
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		if (!shared_library_find(loaded.handle, functions[i].name,
					 (char *)&loaded + functions[i].offset))
			return sqlite_library_refuse();
	if (loaded.sqlite3_libversion_number() < SQLITE_LIBRARY_OLDEST)
		return error_with_hint(error_create(ERROR_FAILED, "libsqlite3.so.0 is too old: %s",
						    loaded.sqlite3_libversion()),
				       "stores need SQLite 3.37 or later");
	*library = loaded;
	loaded = (struct sqlite_library)SQLITE_LIBRARY_INIT;
	return NULL;
}

void sqlite_library_unload(struct sqlite_library *library)
{
	shared_library_close(library->handle);
	*library = (struct sqlite_library)SQLITE_LIBRARY_INIT;
}
