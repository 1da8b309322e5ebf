// SPDX-License-Identifier: Apache-2.0

#include "source/allocator_places.h"

#include <inttypes.h>
#include <stdio.h>

// Names in /proc/PID/map_files are addresses of mappings (proc(5)).

void allocator_file_path(const struct allocator_file *file, uint32_t pid,
			 char ret[static ALLOCATOR_MAX_PATH])
{
	if (file->has_link)
		snprintf(ret, ALLOCATOR_MAX_PATH, "/proc/%u/map_files/%" PRIx64 "-%" PRIx64, pid,
			 file->start, file->end);
	else
		snprintf(ret, ALLOCATOR_MAX_PATH, "/proc/%u/root%s", pid, file->path);
}
