// SPDX-License-Identifier: Apache-2.0

#include "base/os/environment.h"

#include "base/os/privileges.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct error *environment_copy(const char *name, char **ret)
{
	const char *text = getenv(name);
	char *copy = text && *text ? strdup(text) : NULL;
	// A variable that is set to nothing counts as one that is not set, as in POSIX.
	if (text && *text && !copy)
		return &error_no_memory;
	*ret = copy;
	return NULL;
}

// By the XDG Base Directory Specification, to which a relative path is none.
struct error *environment_cache_folder(char **ret)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char *folder = NULL;
	int length = 0;
	if (cache && cache[0] == '/')
		length = asprintf(&folder, "%s", cache);
	else if (home && home[0] == '/')
		length = asprintf(&folder, "%s/.cache", home);
	if (length < 0)
		return &error_no_memory;
	*ret = folder;
	return NULL;
}

// Also root may choose another place, as in a container.
struct error *environment_state_folder(char **ret)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	char *folder = NULL;
	int length = 0;
	if (state && state[0] == '/')
		length = asprintf(&folder, "%s/wperf", state);
	else if (privileges_are_root())
		length = asprintf(&folder, "/var/lib/wperf");
	else if (home && home[0] == '/')
		length = asprintf(&folder, "%s/.local/state/wperf", home);
	if (length < 0)
		return &error_no_memory;
	*ret = folder;
	return NULL;
}
