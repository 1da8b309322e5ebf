/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_WAITS_WAIT_PLACES_H
#define WPERF_REPORT_WAITS_WAIT_PLACES_H

/** What a recorded program waits for: the waits of a profile, summed up by the line that waits, and
 *  the thread and line that ends it. */

#include "base/container/hash_table.h"
#include "base/error.h"
#include "profile/named_profile.h"

#include <stddef.h>
#include <stdint.h>

struct wait_times {
	uint64_t count, total_ns, max_ns;
};

struct wait_place {
	const char *kind; /* "lock", "pipe" ...; "core": it was preempted */
	uint32_t frame;   /* whose line waits; NAMED_NONE: not known */
	enum wait_end end;
	uint32_t waker, waker_frame; /* with WAIT_END_THREAD; waker_frame may be NAMED_NONE */
	struct wait_times times;
};

struct wait_kind {
	const char *kind;
	struct wait_times times;
};

enum { WAIT_MAX_KINDS = 32 };

struct wait_places {
	const struct named_profile *profile;
	struct wait_place *items; /* the longest first */
	size_t num_items, cap_items;
	struct wait_kind kinds[WAIT_MAX_KINDS]; /* likewise */
	size_t num_kinds;
	struct wait_times all;
	uint64_t num_by_end[WAIT_NUM_ENDS];
	struct hash_table index; /* private */
};

/** The profile must outlive it. @places: ended with wait_places_deinit() also after a failure. */
struct error *wait_places_init(struct wait_places *places, const struct named_profile *profile);
void wait_places_deinit(struct wait_places *places);

#endif
