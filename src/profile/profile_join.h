/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_PROFILE_JOIN_H
#define WPERF_PROFILE_PROFILE_JOIN_H

/**
 * Two recordings in one profile, to be looked at side by side: events, threads and samples of the
 * second are behind those of the first, and a function that both have is one function.
 *
 * A function is in both if its name, its kind and the name of its module are the same: libc.so.6
 * of another folder or build is the same module. Functions that differ within one recording stay
 * apart: of several with one name, those that have most in common are joined (linkage name, file,
 * order of lines), and what is left over is only in the second. So all sums of one event are what
 * they are in its recording alone.
 */

#include "base/error.h"
#include "profile/named_profile.h"

#include <stddef.h>
#include <stdint.h>

/** What a profile says of its recording; strings are of the joined profile. */
struct joined_recording {
	uint32_t command_line, host, system, machine;
	uint64_t start_wall_ns, duration_ns, num_lost;
	struct named_collection collection;
};

struct profile_join {
	/** Events and threads from these numbers on are of the second recording. */
	uint32_t first_event, first_thread;
	struct joined_recording recordings[2];
};

/**
 * Copy @other into @profile. Times of @other are moved so that both recordings begin at once, and
 * the duration becomes that of the longer one. What else is known of a recording is the first's,
 * SPE's samples as well. Frames of a joined function whose modules are not of the same build (by
 * build id) have no address: it would be one of other code.
 *
 * Samples of @other are behind those of @profile, whatever their times.
 * @other must outlive @profile, whose rights refer to its root folders.
 * @ret: set only on success; after an error @profile can only be deinitialized.
 */
struct error *profile_join_add(struct named_profile *profile, const struct named_profile *other,
			       struct profile_join *ret);

/** What it says of its recording, with strings of its own. */
struct joined_recording profile_join_describe(const struct named_profile *profile);

/** 0 or 1: the recording that an event or a thread is of. */
static inline uint32_t profile_join_event_recording(const struct profile_join *join, size_t event)
{
	return event >= join->first_event;
}

static inline uint32_t profile_join_thread_recording(const struct profile_join *join, size_t thread)
{
	return thread >= join->first_thread;
}

#endif
