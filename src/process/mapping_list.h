/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_MAPPING_LIST_H
#define WPERF_PROCESS_MAPPING_LIST_H

/**
 * What is mapped where. A forked process has the list of its parent until one of the two changes
 * it: who changes a list that others use gets a copy of its own.
 */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mapping {
	uint64_t start, end;
	uint64_t file_offset; /* of start */
	uint32_t module;
};

struct mapping_list {
	size_t num_users;
	struct mapping *items; /* by address, without overlaps */
	size_t num_items, cap_items;
};

/** Of all lists together. */
struct mapping_room {
	size_t num_used;  /* mappings that there is memory for */
	uint64_t num_cut; /* mappings that were left out, as there were too many */
};

enum {
	/** Of one list; the kernel's own limit is half of that. */
	MAPPING_LIST_MAX = 1 << 17,
	/** Of all: 256 MB. */
	MAPPING_ROOM_MAX = 1 << 23,
};

/** One more user of @list, which may be NULL: the empty one. */
struct mapping_list *mapping_list_share(struct mapping_list *list);

/** One less; the last one frees it. NULL is fine. */
void mapping_list_release(struct mapping_list *list, struct mapping_room *room);

/**
 * Adds a mapping over what was there.
 * @list: one user's; replaced if it is NULL or others use it, too.
 */
struct error *mapping_list_add(struct mapping_list **list, const struct mapping *mapping,
			       struct mapping_room *room);

#endif
