/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_ALLOCATOR_PLACES_H
#define WPERF_SOURCE_ALLOCATOR_PLACES_H

/** Where the functions of the allocator are that a running process has mapped. */

#include "source/bpf/allocation_maps.h"

#include <stddef.h>
#include <stdint.h>

struct allocator_place {
	const char *path; /* of the file, as this process can open it */
	uint64_t offset;  /* in the file */
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
