/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_HOT_HOT_LIST_H
#define WPERF_PROFILE_HOT_HOT_LIST_H

/**
 * What is hot: for each function (or line, module, thread ...) what was spent in itself, and in
 * itself with all that it calls. A function that is several times on one stack is counted there
 * once.
 */

#include "base/error.h"
#include "profile/hot/hot_key.h"
#include "profile/named_profile.h"
#include "profile/profile_filter.h"

#include <stddef.h>
#include <stdint.h>

enum hot_order { HOT_BY_SELF, HOT_BY_TOTAL };

struct hot_entry {
	/** Function, module, thread, CPU as the key says; of a line or an instruction one of its
	 *  frames, of a process one of its threads, of an interpreted file its string. NAMED_NONE:
	 * not known; of interpreted code: none of it called. */
	uint32_t item;
	struct named_total self, total; /* of threads, processes and CPUs both are the same */
};

struct hot_list {
	enum hot_key key;
	struct hot_entry *entries; /* hottest first; only what has samples */
	size_t num_entries, cap_entries;
	struct named_total whole; /* of what the percentages are */
};

#define HOT_LIST_INIT \
	{             \
	}

/** @filter: NULL for all samples. @ret: set only on success. */
struct error *hot_list_create(const struct named_profile *profile, enum hot_key key,
			      enum hot_order order, const struct profile_filter *filter,
			      struct hot_list *ret);
void hot_list_deinit(struct hot_list *list);

#endif
