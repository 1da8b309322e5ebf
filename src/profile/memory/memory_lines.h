/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_MEMORY_LINES_H
#define WPERF_PROFILE_MEMORY_LINES_H

/**
 * Memory by line of the program: how much each line asked for, touched, and kept, side by side. A
 * sample belongs to the innermost interpreted line of its stack, or else to the innermost place
 * outside of the kernel, the C and C++ libraries and their headers: to who called malloc() or
 * memset(), not to these. Pages that wperf's own library touches are left out.
 */

#include "base/container/hash_table.h"
#include "profile/memory/memory_event.h"
#include "profile/profile_filter.h"

struct memory_line {
	uint32_t frame; /* one at the line; NAMED_NONE: of samples without a stack */
	uint64_t bytes[MEMORY_EVENT_NUM];
};

struct memory_lines {
	struct memory_line *items; /* the most bytes of any event come first */
	size_t num_items, cap_items;
	bool has[MEMORY_EVENT_NUM];          /* events of the profile */
	const struct named_profile *profile; /* set by the caller, before the first event */
	/* private */
	struct hash_table index;
};

#define MEMORY_LINES_INIT \
	{                 \
	}

void memory_lines_deinit(struct memory_lines *lines);

/** Are there two of: allocated, temporary, touched, leaked, in use (at whatever moment)? */
bool memory_lines_are_there(const struct named_profile *profile);

/** Add the samples of an event. @filter: NULL takes all. */
struct error *memory_lines_add(struct memory_lines *lines, uint32_t event,
			       const struct profile_filter *filter);

/** After the last event. */
void memory_lines_sort(struct memory_lines *lines);

#endif
