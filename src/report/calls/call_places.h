/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_CALLS_CALL_PLACES_H
#define WPERF_REPORT_CALLS_CALL_PLACES_H

/**
 * Which lines make system calls, and what they wait for there: sums of a profile of source `calls`.
 * A line is that of the innermost interpreted frame; of native stacks, that of the innermost
 * function outside of the C library.
 */

#include "base/container/hash_table.h"
#include "base/error.h"
#include "profile/named_profile.h"

#include <stddef.h>
#include <stdint.h>

/** The events of the profile, in this order. */
enum call_event {
	CALL_EVENT_COUNT,
	CALL_EVENT_TIME,
	CALL_EVENT_WAIT,
	CALL_EVENT_WAKE,
	CALL_NUM_EVENTS,
};

struct call_place {
	uint32_t call;    /* string: "read (pipe)" */
	uint32_t frame;   /* whose line it is; NAMED_NONE: not known */
	uint32_t other;   /* string: who holds the lock, or who is woken; 0: nobody that is known */
	uint32_t thread;  /* that wakes another one; NAMED_NONE for the other events */
	const char *kind; /* of wait: "lock", "pipe", ... */
	uint64_t num_samples;
	uint64_t weights[CALL_NUM_EVENTS]; /* what the samples stand for */
};

struct call_places {
	const struct named_profile *profile;
	struct call_place *items; /* in no order */
	size_t num_items, cap_items;
	uint64_t num_samples;
	struct hash_table index; /* private */
};

/** The profile must outlive it. @places: ended with call_places_deinit() also after a failure. */
struct error *call_places_init(struct call_places *places, const struct named_profile *profile);
void call_places_deinit(struct call_places *places);

/** Is "read (pipe)" a "read"? */
bool call_place_is_of(const struct call_places *places, const struct call_place *place,
		      const char *call);

#endif
