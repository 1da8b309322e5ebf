// SPDX-License-Identifier: Apache-2.0

#include "symbols/jit/whole_file.h"

#include "base/file/foreign_file.h"

#include <stdlib.h>
#include <string.h>

// foreign_file_open() refuses what is no plain file. The bytes are copied, as the process may still
// write them, and as the caller changes them (perf_map.c ends names in place).

struct error *whole_file_read(struct whole_file *file, const char *path, size_t max_size,
			      const struct file_rights *rights)
{
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	const struct foreign_file_rules rules = {.max_size = max_size};
	struct error *err = foreign_file_open(&map, path, &rules);
	if (err)
		return err;
	char *bytes = malloc(map.size + 1);
	if (!bytes)
		return &error_no_memory;
	if (map.size)
		memcpy(bytes, map.data, map.size);
	bytes[map.size] = '\0';
	*file = (struct whole_file){.bytes = bytes, .size = map.size};
	return NULL;
}

struct error *whole_file_read_kernel(struct whole_file *file, const char *path, size_t max_size)
{
	return whole_file_read(file, path, max_size, NULL);
}

void whole_file_deinit(struct whole_file *file)
{
	free(file->bytes);
	*file = (struct whole_file)WHOLE_FILE_INIT;
}
