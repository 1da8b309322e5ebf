/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_SQLITE_SQLITE_PROFILE_H
#define WPERF_FLEET_STORE_SQLITE_SQLITE_PROFILE_H

/** Gives the builder of an answer what the store has by number; each is read once. */

#include "base/container/hash_table.h"
#include "fleet/store/sqlite/sqlite_file.h"
#include "fleet/store/store_profile.h"

struct sqlite_profile_row {
	int64_t number; /* in the store */
	uint32_t item;  /* of the builder, or in the array of its kind */
};

struct sqlite_profile_map {
	struct hash_table index;
	struct sqlite_profile_row *rows;
	size_t num_rows, cap_rows;
};

struct sqlite_profile {
	struct sqlite_file *file;
	struct store_profile *answer; /* the caller's */
	struct sqlite_profile_map strings, modules, functions, frames;
	struct store_frame *named_modules, *named_functions; /* frames of which no more is known */
	size_t num_modules, cap_modules, num_functions, cap_functions;
	int64_t *path;         /* of one stack: frames, outermost first, of the store */
	uint32_t *frame_items; /* and of the builder */
	size_t cap_path, cap_frame_items;
};

void sqlite_profile_deinit(struct sqlite_profile *work);

struct error *sqlite_profile_string(struct sqlite_profile *work, int64_t number, uint32_t *ret);
/** @ret: stack of the builder. */
struct error *sqlite_profile_stack(struct sqlite_profile *work, int64_t service, int64_t stack,
				   uint32_t *ret);

#endif
