/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_PERF_WAKEUP_H
#define WPERF_SOURCE_PERF_PERF_WAKEUP_H

/** Reads the newest sample of a ring in advance, long before it is decoded in time order. */

#include "source/perf/perf_ring.h"
#include "source/sample_wakeup.h"

#include <stdbool.h>
#include <stdint.h>

enum { PERF_WAKEUP_MAX_LEAVING = 32 };

struct perf_wakeup {
	uint64_t position; /* in the ring: everything before was read */
	bool is_new;       /* since the previous look */
	struct sample_wakeup sample;
	/** Threads that left their CPU since the previous look, each with the last time; incomplete
	 *  if there are more. */
	struct sample_wakeup leaving[PERF_WAKEUP_MAX_LEAVING];
	size_t num_leaving;
};

/** The bits of sample_type that each sample must have. */
#define PERF_WAKEUP_SAMPLE_TYPE \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)

/**
 * Read the new records up to the last perf_ring_look(), if any.
 * @switches: also notice threads that leave their CPU; these records have thread and time right
 *            after the header.
 */
void perf_wakeup_look(struct perf_wakeup *wakeup, const struct perf_ring *ring, bool switches);

#endif
