// SPDX-License-Identifier: Apache-2.0

#include "session/program/program_path.h"

#include "base/file/file_path.h"
#include "base/os/environment.h"
#include "base/text/string_builder.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The order of execvp(3): a name with a slash is a path; any other is searched in the folders of
// PATH, and the first file that may be executed is taken. Unlike execvp(), wperf wants the path
// before it starts anything, to see what kind of program it is. What is not found is no error here:
// execv() gets the name as it is, and its error is reported.

/** Of execvp(), where PATH is not set. */
static const char default_path[] = "/bin:/usr/bin";

/** An empty folder is the current one. @ret stays NULL if the folders do not have it. */
static struct error *program_path_search(const char *folders, const char *name, char **ret)
{
	for (const char *folder = folders; !*ret;) {
		_cleanup_(string_builder_deinit) struct string_builder path = STRING_BUILDER_INIT;
		size_t length = strcspn(folder, ":");
		string_builder_appendf(&path, "%.*s%s%s", (int)length, folder, length ? "/" : "",
				       name);
		const char *file = string_builder_peek(&path);
		if (file_path_kind(file) == FILE_PATH_FILE && access(file, X_OK) == 0) {
			struct error *err = string_builder_finish(&path, ret);
			if (err)
				return err;
		}
		if (!folder[length])
			return NULL;
		folder += length + 1;
	}
	return NULL;
}

struct error *program_path_find(const char *name, char **ret)
{
	_cleanup_free_ char *folders = NULL;
	*ret = NULL;
	if (!*name)
		return NULL;
	if (strchr(name, '/')) {
		if (file_path_kind(name) == FILE_PATH_ABSENT)
			return NULL;
		*ret = strdup(name);
		return *ret ? NULL : &error_no_memory;
	}
	struct error *err = environment_copy("PATH", &folders);
	return err ? err : program_path_search(folders ? folders : default_path, name, ret);
}
