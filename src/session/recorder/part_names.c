// SPDX-License-Identifier: Apache-2.0

#include "session/recorder/part_names.h"

#include "base/container/array.h"
#include "base/file/file_path.h"
#include "base/text/ascii.h"
#include "base/text/string_builder.h"
#include "base/text/wall_time.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	NS_PER_S = 1000000000,
	NS_PER_HUNDREDTH = 10000000,
	// Two files in one hundredth of a second: the second one is named after the next.
	MAX_TRIES = 1000,
};

static void part_names_append(struct string_builder *name, const char *path, uint64_t wall_ns)
{
	const struct wall_time_text text = wall_time_format(wall_ns);
	string_builder_appendf(name, "%s.", path);
	for (const char *c = text.text; *c; c++)
		if (ascii_is_digit(*c))
			string_builder_append_n(name, c, 1);
	string_builder_appendf(name, "%02" PRIu64, wall_ns % NS_PER_S / NS_PER_HUNDREDTH);
}

struct error *part_names_choose(const struct part_names *names, uint64_t wall_ns, char **ret)
{
	for (uint64_t i = 0; i < MAX_TRIES; i++) {
		_cleanup_(string_builder_deinit) struct string_builder name = STRING_BUILDER_INIT;
		part_names_append(&name, names->path, wall_ns + i * NS_PER_HUNDREDTH);
		if (name.failed)
			return &error_no_memory;
		if (file_path_kind(name.text) == FILE_PATH_ABSENT)
			return string_builder_finish(&name, ret);
	}
	return error_create(ERROR_FAILED, "'%s' with the time behind it: all names are taken",
			    names->path);
}

struct error *part_names_keep(struct part_names *names, const char *path)
{
	if (!names->max_files)
		return NULL;
	struct error *err = array_reserve(&names->kept, &names->cap_kept, names->num_kept + 1);
	char *copy = err ? NULL : strdup(path);
	if (!copy)
		return &error_no_memory;
	names->kept[names->num_kept++] = copy;
	if (names->num_kept <= names->max_files)
		return NULL;
	file_path_remove(names->kept[0]);
	free(names->kept[0]);
	names->num_kept--;
	memmove(names->kept, names->kept + 1, names->num_kept * sizeof(*names->kept));
	return NULL;
}

void part_names_deinit(struct part_names *names)
{
	for (size_t i = 0; i < names->num_kept; i++)
		free(names->kept[i]);
	free(names->kept);
}
