/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_THREAD_TIMES_H
#define WPERF_SESSION_THREAD_TIMES_H

/** Sums of the GIL states in each thread's samples, for each event. */

#include "base/error.h"
#include "profile/named_profile.h"
#include "record/interpreted_frame.h"

#include <stdbool.h>
#include <stddef.h>

struct thread_time {
	uint32_t event, thread; /* of the profile */
	struct named_total totals[GIL_NUM_STATES];
};

struct thread_times {
	struct thread_time *items; /* in the order of their first samples */
	size_t num_items, cap_items;
	struct hash_table index;
	bool knows_gil; /* the state is known for any sample */
};

#define THREAD_TIMES_INIT \
	{                 \
	}

void thread_times_deinit(struct thread_times *times);

struct error *thread_times_add(struct thread_times *times, const struct named_sample *sample);

/** The sum of all states. */
struct named_total thread_time_total(const struct thread_time *time);

/** NULL: the thread has no samples of the event. */
const struct thread_time *thread_times_find(const struct thread_times *times, uint32_t event,
					    uint32_t thread);

#endif
