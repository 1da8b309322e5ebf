// SPDX-License-Identifier: Apache-2.0

#include "source/etw/volumes/etw_volumes.h"

#include "base/container/array.h"

#include <stdlib.h>
#include <string.h>

struct error *etw_volumes_add(struct etw_volumes *volumes, const char *device, const char *drive)
{
	struct error *err =
		array_reserve(&volumes->items, &volumes->cap_items, volumes->num_items + 1);
	if (err)
		return err;
	_cleanup_free_ char *device_copy = strdup(device);
	_cleanup_free_ char *drive_copy = strdup(drive);
	if (!device_copy || !drive_copy)
		return &error_no_memory;
	volumes->items[volumes->num_items++] = (struct etw_volume){
		.device = take_ptr(device_copy),
		.drive = take_ptr(drive_copy),
	};
	return NULL;
}

void etw_volumes_deinit(struct etw_volumes *volumes)
{
	for (size_t i = 0; i < volumes->num_items; i++) {
		free(volumes->items[i].device);
		free(volumes->items[i].drive);
	}
	free(volumes->items);
	*volumes = (struct etw_volumes)ETW_VOLUMES_INIT;
}

const char *etw_volumes_translate(const struct etw_volumes *volumes, const char *path,
				  struct string_builder *text)
{
	for (size_t i = 0; i < volumes->num_items; i++) {
		const struct etw_volume *volume = &volumes->items[i];
		size_t length = strlen(volume->device);
		// "\Device\HarddiskVolume1" begins "\Device\HarddiskVolume10\Windows", too.
		if (strncasecmp(path, volume->device, length) != 0 || path[length] != '\\')
			continue;
		string_builder_clear(text);
		string_builder_append(text, volume->drive);
		string_builder_append(text, path + length);
		return string_builder_peek(text);
	}
	return path;
}
