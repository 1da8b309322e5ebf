/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_LOADED_IMAGE_H
#define WPERF_PROCESS_LOADED_IMAGE_H

/**
 * The code sections of a loaded Windows image: their addresses and their offsets in the file, so
 * that places are file offsets, as on Linux.
 */

#include "process/memory/process_memory.h"

#include <stddef.h>
#include <stdint.h>

struct loaded_code {
	uint64_t start, length;
	uint64_t file_offset;
};

enum { LOADED_IMAGE_MAX_CODE = 32 }; /* sections with code; one is usual */

/**
 * Read the image's headers in memory, which are untrusted: sections outside of @size bytes from
 * @base are left out. Returns the number of sections; 0: not an image.
 */
size_t loaded_image_code(const struct process_memory *memory, uint64_t base, uint32_t size,
			 struct loaded_code ret[LOADED_IMAGE_MAX_CODE]);

#endif
