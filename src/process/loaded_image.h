/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_LOADED_IMAGE_H
#define WPERF_PROCESS_LOADED_IMAGE_H

/**
 * The code of a Windows image that a process has loaded: where its sections are in memory, and
 * where they came from in the file. So a place is an offset in a file, as on Linux.
 */

#include "process/process_memory.h"

#include <stddef.h>
#include <stdint.h>

struct loaded_code {
	uint64_t start, length;
	uint64_t file_offset;
};

enum { LOADED_IMAGE_MAX_CODE = 32 }; /* sections with code; one is usual */

/**
 * By the image's headers in memory, which may say anything: what is not within @size bytes from
 * @base on is left out. How many there are; 0 if it is no image.
 */
size_t loaded_image_code(const struct process_memory *memory, uint64_t base, uint32_t size,
			 struct loaded_code ret[LOADED_IMAGE_MAX_CODE]);

#endif
