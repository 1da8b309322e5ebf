/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_SQLITE_SQLITE_PROFILE_H
#define WPERF_FLEET_STORE_SQLITE_SQLITE_PROFILE_H

/**
 * Makes items of a profile of what the store has by number; each is read once.
 *
 * Modules of one path are one module of the profile. Frames in another build than the first one
 * that was read have no address: it would be one of other code.
 */

#include "base/container/hash_table.h"
#include "fleet/store/sqlite/sqlite_file.h"
#include "fleet/store/sqlite/sqlite_stack.h"
#include "profile/named_profile.h"

struct sqlite_profile_row {
	int64_t number; /* in the store */
	uint32_t item;  /* in the profile */
	bool is_other_build;
};

struct sqlite_profile_map {
	struct hash_table index;
	struct sqlite_profile_row *rows;
	size_t num_rows, cap_rows;
};

struct sqlite_profile {
	struct sqlite_file *file;
	struct named_profile *profile; /* the caller's */
	bool keeps_builds;             /* as in struct store_query */
	struct sqlite_profile_map strings, modules, functions, frames;
	int64_t *path;         /* of one stack: frames, outermost first, of the store */
	uint32_t *frame_items; /* and of the profile */
	size_t cap_path, cap_frame_items;
};

void sqlite_profile_deinit(struct sqlite_profile *work);

struct error *sqlite_profile_string(struct sqlite_profile *work, int64_t number, uint32_t *ret);
/** @ret: STACK_NONE if it has no frames. */
struct error *sqlite_profile_stack(struct sqlite_profile *work, int64_t service, int64_t stack,
				   struct sqlite_stack_traits *ret_traits, uint32_t *ret);

#endif
