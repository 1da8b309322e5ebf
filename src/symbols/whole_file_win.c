// SPDX-License-Identifier: Apache-2.0

#include "symbols/whole_file.h"

#include "base/file_map.h"
#include "base/file_path.h"

#include <stdlib.h>
#include <string.h>

static struct error *copy(const struct file_map *map, struct whole_file *ret)
{
	char *bytes = malloc(map->size + 1);
	if (!bytes)
		return &error_no_memory;
	if (map->size)
		memcpy(bytes, map->data, map->size);
	bytes[map->size] = '\0';
	*ret = (struct whole_file){.bytes = bytes, .size = map->size};
	return NULL;
}

struct error *whole_file_read(struct whole_file *file, const char *path, size_t max_size)
{
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	if (file_path_kind(path) == FILE_PATH_OTHER)
		return error_create(ERROR_FAILED, "'%s' is not a regular file", path);
	struct error *err = file_map_open(&map, path);
	if (!err && map.size > max_size)
		err = error_create(ERROR_FAILED, "'%s' has more than %zu bytes", path, max_size);
	return err ? err : copy(&map, file);
}

void whole_file_deinit(struct whole_file *file)
{
	free(file->bytes);
	*file = (struct whole_file)WHOLE_FILE_INIT;
}
