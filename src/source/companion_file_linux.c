// SPDX-License-Identifier: Apache-2.0

#include "source/companion_file.h"

#include "base/container/array.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/** @self: a file; places are looked for from its folder on. */
static bool companion_file_find_beside(const char *self, const char *name,
				       char ret[static PATH_MAX])
{
	// The last two are seen from a library: of a folder of all, or of one for each machine.
	static const char *const places[] = {"", "../lib/wperf/", "wperf/", "../wperf/"};
	const char *slash = strrchr(self, '/');
	int length = slash ? (int)(slash + 1 - self) : 0;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		int written = snprintf(ret, PATH_MAX, "%.*s%s%s", length, self, places[i], name);
		if (written < PATH_MAX && access(ret, R_OK) == 0)
			return true;
	}
	return false;
}

bool companion_file_find(const char *name, char ret[static PATH_MAX])
{
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	self[length > 0 ? length : 0] = '\0';
	if (*self && companion_file_find_beside(self, name, ret))
		return true;
	// libwperf in the program of somebody else.
	Dl_info info;
	return dladdr((const void *)companion_file_find, &info) && info.dli_fname &&
	       *info.dli_fname == '/' && companion_file_find_beside(info.dli_fname, name, ret);
}
