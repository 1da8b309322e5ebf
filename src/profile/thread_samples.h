/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_THREAD_SAMPLES_H
#define WPERF_PROFILE_THREAD_SAMPLES_H

/** The samples of one event by thread, each thread's in their order: for formats with a timeline.
 */

#include "base/error.h"
#include "profile/named_profile.h"

#include <stddef.h>

struct thread_samples {
	size_t *starts;  /* [thread], and one more: where in `samples` those of a thread start */
	size_t *samples; /* indexes of the profile's samples */
};

#define THREAD_SAMPLES_INIT \
	{                   \
	}

/** @event: NAMED_NONE for all. @ret: set only on success. */
struct error *thread_samples_create(const struct named_profile *profile, uint32_t event,
				    struct thread_samples *ret);
void thread_samples_deinit(struct thread_samples *samples);

#endif
