/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_PAGE_REPORT_SAMPLES_H
#define WPERF_VIEW_PAGE_REPORT_SAMPLES_H

/**
 * The samples of a profile as a page shows them: by event, thread, time, state of the GIL and
 * stack, times in a few thousand equal slots, and what is the same then summed up.
 */

#include "base/error.h"
#include "profile/named_profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { REPORT_MAX_SLOTS = 4096 };

struct report_sample {
	uint32_t event, thread, slot, stack;
	enum gil_state gil;
	uint64_t weight, count;
};

struct report_samples {
	struct report_sample *items;
	size_t num_items;
	uint64_t begin_ns, slot_ns; /* slot i begins at begin_ns + i * slot_ns */
	uint32_t num_slots;         /* 1 where times are not kept */
	bool knows_gil;             /* the state is known for any sample */
};

#define REPORT_SAMPLES_INIT \
	{                   \
	}

/**
 * @step_ns: samples have the times of steps of this length, which then are the slots; 0: times of
 *           their own.
 * @samples: set only on success.
 */
struct error *report_samples_init(struct report_samples *samples,
				  const struct named_profile *profile, uint64_t step_ns);
void report_samples_deinit(struct report_samples *samples);

#endif
