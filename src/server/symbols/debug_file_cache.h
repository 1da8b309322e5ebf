/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_SYMBOLS_DEBUG_FILE_CACHE_H
#define WPERF_SERVER_SYMBOLS_DEBUG_FILE_CACHE_H

/**
 * Debug files that stay open with what was read of them, for several threads. The least recently
 * used ones are closed. A file that was replaced on the disk is opened anew.
 */

#include "base/error.h"
#include "object/object.h"
#include "record/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct debug_file_cache;

struct debug_file_cache_limits {
	uint64_t max_bytes; /* of all files: what is read of one takes about as much memory */
	size_t max_files;
};

struct cached_debug_file;

/** A file in use; only one at a time by a thread. */
struct debug_file_use {
	struct object *object; /* nobody else uses it meanwhile; NULL: there is no such file */
	struct cached_debug_file *file; /* private */
};

struct error *debug_file_cache_create(const struct debug_file_cache_limits *limits,
				      struct debug_file_cache **ret);

/** No file is in use. Accepts NULL. */
void debug_file_cache_destroy(struct debug_file_cache *cache);

/**
 * @is_trusted: files that it refers to (.gnu_debugaltlink) may be read, too. What somebody has sent
 *              could name files of others.
 * @ret: to be released, also without an object. A file that is damaged or of another build is as
 *       good as none.
 */
struct error *debug_file_cache_use(struct debug_file_cache *cache, const char *path,
				   const struct record_build_id *id, bool is_trusted,
				   struct debug_file_use *ret);
void debug_file_cache_release(struct debug_file_cache *cache, struct debug_file_use *use);

/** How many are open. */
size_t debug_file_cache_num_files(struct debug_file_cache *cache);

#endif
