// SPDX-License-Identifier: Apache-2.0

#include "source/companion_file.h"

#include "base/container/array.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool companion_file_find(const char *name, char ret[static PATH_MAX])
{
	static const char *const places[] = {"", "../lib/wperf/"};
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	self[length > 0 ? length : 0] = '\0';
	char *slash = strrchr(self, '/');
	if (slash)
		slash[1] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		int written = snprintf(ret, PATH_MAX, "%s%s%s", self, places[i], name);
		if (written < PATH_MAX && access(ret, R_OK) == 0)
			return true;
	}
	return false;
}
