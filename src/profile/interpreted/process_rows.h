/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_INTERPRETED_PROCESS_ROWS_H
#define WPERF_PROFILE_INTERPRETED_PROCESS_ROWS_H

/** The processes of a profile with their sums, or its roles (process_roles.h) with those of all
 *  their processes. */

#include "base/error.h"
#include "profile/named_profile.h"
#include "profile/profile_filter.h"

#include <stddef.h>
#include <stdint.h>

enum process_fold { PROCESS_EACH, PROCESS_BY_ROLE };

struct process_row {
	uint32_t thread; /* one of its threads, under its last name */
	struct named_total self;
	uint32_t frame;          /* of its hottest interpreted line; NAMED_NONE: it has none */
	struct named_total line; /* of that line, with the native code that it calls */
};

struct process_rows {
	struct process_row *items; /* those with the most samples first */
	size_t num_items, cap_items;
	struct named_total whole; /* of what the percentages are */
};

#define PROCESS_ROWS_INIT \
	{                 \
	}

/** @filter: NULL for all samples. @ret: set only on success. */
struct error *process_rows_create(const struct named_profile *profile, enum process_fold fold,
				  const struct profile_filter *filter, struct process_rows *ret);
void process_rows_deinit(struct process_rows *rows);

/** How many processes of a profile were started while it was recorded, by another one of it. */
size_t process_rows_num_children(const struct named_profile *profile,
				 const struct process_rows *rows);

#endif
