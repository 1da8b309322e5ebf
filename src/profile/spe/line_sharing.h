/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_SPE_LINE_SHARING_H
#define WPERF_PROFILE_SPE_LINE_SHARING_H

/**
 * Lines of data that several threads touch, one of them writing: cores take such a line from each
 * other. Where no byte is touched by two of them, they share nothing but the line, and the program
 * would run faster if their data lay apart: false sharing. An access is known by its first byte
 * only, so that accesses of different sizes to the same data may look like that, too.
 */

#include "profile/named_profile.h"
#include "profile/profile_filter.h"

enum line_sharing_kind {
	LINE_SHARING_FALSE, /* no byte is that of two threads */
	LINE_SHARING_TRUE,  /* only one byte is touched at all */
	LINE_SHARING_BOTH,  /* some bytes are those of several threads, of which one writes */
};

struct shared_line {
	const struct cache_line *line;
	enum line_sharing_kind kind;
	const struct cache_access *accesses; /* by offset, thread, and then count */
	size_t num_accesses;
	uint32_t num_threads, num_writers;
	uint64_t num_reads, num_writes;
	uint64_t num_shared;         /* of both: data that another core's cache had */
	uint64_t num_timed, latency; /* of both, in cycles */
};

struct line_sharing {
	struct shared_line *lines; /* most cycles first */
	size_t num_lines;
	uint64_t num_touched_lines; /* of all lines that are kept */
	/* private */
	struct cache_access *accesses;
};

#define LINE_SHARING_INIT \
	{                 \
	}

/**
 * @filter: only lines with an access that it takes, if it is not NULL; its event does not count.
 * @ret: points into the profile.
 */
struct error *line_sharing_create(const struct named_profile *profile,
				  const struct profile_filter *filter, struct line_sharing *ret);
void line_sharing_deinit(struct line_sharing *sharing);

/** `false sharing`, `true sharing`, `false and true sharing`. */
const char *line_sharing_kind_name(enum line_sharing_kind kind);

#endif
