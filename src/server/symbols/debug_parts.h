/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_SYMBOLS_DEBUG_PARTS_H
#define WPERF_SERVER_SYMBOLS_DEBUG_PARTS_H

/**
 * A debug file that comes in pieces, as it may be larger than a request: they are put together in
 * FOLDER/.parts, one file for each build. Linux.
 */

#include "base/error.h"
#include "base/file/file_map.h"
#include "record/record.h"

#include <stddef.h>
#include <stdint.h>

enum {
	DEBUG_PARTS_MAX_FILES = 8,     /* at a time, of one folder */
	DEBUG_PARTS_MAX_AGE_S = 86400, /* of one that nobody goes on with */
};

struct debug_part {
	struct record_build_id build_id; /* the sender's word */
	uint64_t size;                   /* of the whole file */
	uint64_t at;                     /* where the piece belongs; 0: begin anew */
	const void *bytes;
	size_t num_bytes;
};

enum debug_parts_result {
	DEBUG_PARTS_MORE,     /* are missing */
	DEBUG_PARTS_COMPLETE, /* and mapped */
	DEBUG_PARTS_GAP,      /* the piece does not belong to the end of what is there */
	DEBUG_PARTS_MANY,     /* others are coming already */
};

/**
 * @map: what is complete; debug_parts_remove() when it is used.
 * @ret: set only on success.
 */
struct error *debug_parts_add(const char *folder, const struct debug_part *part,
			      struct file_map *map, enum debug_parts_result *ret);

void debug_parts_remove(const char *folder, const struct record_build_id *id);

#endif
