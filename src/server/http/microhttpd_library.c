// SPDX-License-Identifier: Apache-2.0

#include "server/http/microhttpd_library.h"

#include "base/container/array.h"
#include "base/os/shared_library.h"

#include <stddef.h>

static const struct {
	const char *name;
	size_t offset; // of the member
} functions[] = {
#define ROW(function) {#function, offsetof(struct microhttpd_library, function)},
	MICROHTTPD_LIBRARY_FUNCTIONS(ROW)
#undef ROW
};

static struct error *microhttpd_library_refuse(void)
{
	return error_with_hint(error_create(ERROR_FAILED, "libmicrohttpd.so.12 is missing, which "
							  "the server answers with"),
			       "%s", shared_library_hint("install the package libmicrohttpd12"));
}

struct error *microhttpd_library_load(struct microhttpd_library *library)
{
	_cleanup_(microhttpd_library_unload) struct microhttpd_library loaded =
		MICROHTTPD_LIBRARY_INIT;
	loaded.handle = shared_library_open("libmicrohttpd.so.12");
	if (!loaded.handle)
		return microhttpd_library_refuse();
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		if (!shared_library_find(loaded.handle, functions[i].name,
					 (char *)&loaded + functions[i].offset))
			return microhttpd_library_refuse();
	*library = loaded;
	loaded = (struct microhttpd_library)MICROHTTPD_LIBRARY_INIT;
	return NULL;
}

void microhttpd_library_unload(struct microhttpd_library *library)
{
	shared_library_close(library->handle);
	*library = (struct microhttpd_library)MICROHTTPD_LIBRARY_INIT;
}
