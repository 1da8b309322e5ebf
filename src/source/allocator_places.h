/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_ALLOCATOR_PLACES_H
#define WPERF_SOURCE_ALLOCATOR_PLACES_H

/** Where the functions of the allocator are that a running process has mapped. */

#include "source/bpf/allocation_maps.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A file that a process has mapped with code. */
struct allocator_file {
	const char *path;    /* as the process sees it */
	uint64_t start, end; /* of a mapping of it, in the process and in its children */
	/** The kernel's link to what is mapped can be followed: it may be another file by now that
	 *  the path leads to. That takes CAP_SYS_ADMIN or CAP_CHECKPOINT_RESTORE. */
	bool has_link;
};

enum { ALLOCATOR_MAX_PATH = 4096 + 64 };

/** The path by which this process opens the file of @pid. */
void allocator_file_path(const struct allocator_file *file, uint32_t pid,
			 char ret[static ALLOCATOR_MAX_PATH]);

struct allocator_place {
	const struct allocator_file *file;
	uint64_t offset; /* in the file */
	enum allocation_kind kind;
};

struct allocator_places {
	uint32_t pid;
	const char *allocator; /* "libjemalloc.so.2" */
	struct allocator_place *items;
	size_t num_items;
	struct allocation_process process;
};

#endif
