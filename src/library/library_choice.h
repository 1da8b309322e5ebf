/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_LIBRARY_LIBRARY_CHOICE_H
#define WPERF_LIBRARY_LIBRARY_CHOICE_H

/** The samples of a profile that a struct wperf_choice chooses. */

#include "base/error.h"
#include "library/wperf.h"
#include "profile/named_profile.h"
#include "profile/profile_filter.h"

struct library_choice {
	/** A copy that shares everything but samples with the library's profile. Where events are
	 *  summed up, which have no common unit, each sample weighs 1. */
	struct named_profile profile;
	struct profile_filter *filter;
	bool is_whole; /* each of the event's samples was taken: chance has no part in it */
	/* private */
	struct named_sample *samples; /* own ones, or NULL */
};

/** @choice: NULL: the first event. @ret: valid as long as the profile. */
struct error *library_choice_make(const struct named_profile *profile,
				  const struct wperf_choice *choice, struct library_choice *ret);
void library_choice_deinit(struct library_choice *choice);

#endif
