/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_LIBRARY_LIBRARY_PROFILE_H
#define WPERF_LIBRARY_LIBRARY_PROFILE_H

/** What a recording that is read, and a sampling that has ended, give to the caller. */

#include "base/error.h"
#include "base/file/memory_stream.h"
#include "library/wperf.h"
#include "profile/named_profile.h"

struct wperf_profile {
	struct named_profile profile;
	/** Lines for the user: written to its stream until library_profile_finish(). */
	struct memory_stream notes;
	char *sysroots;   /* where source and machine code are looked for; or NULL */
	bool keeps_times; /* each sample with its time */
};

/**
 * Empty: the caller fills the profile (which is all zeros, not initialised) and the notes, and
 * calls library_profile_finish() before anybody else sees it.
 * @ret: ended by wperf_profile_close(), also when it is not finished.
 */
struct error *library_profile_create(struct wperf_profile **ret);
struct error *library_profile_finish(struct wperf_profile *profile);

static inline void library_profile_closep(struct wperf_profile **profile)
{
	wperf_profile_close(*profile);
}

#endif
