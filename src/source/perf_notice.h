/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_NOTICE_H
#define WPERF_SOURCE_PERF_NOTICE_H

/** What is seen of the newest sample of a ring long before it is its turn to be decoded. */

#include "source/perf_ring.h"
#include "source/sample_notice.h"

#include <stdbool.h>
#include <stdint.h>

enum { PERF_NOTICE_MAX_LEAVING = 32 };

struct perf_notice {
	uint64_t position; /* in the ring: everything before has been looked at */
	bool is_new;       /* since the look before */
	struct sample_notice sample;
	/** Threads that left their core since the look before, each the last time; of very many not
	 * all. */
	struct sample_notice leaving[PERF_NOTICE_MAX_LEAVING];
	size_t num_leaving;
};

/** What all samples begin with so that they can be noticed: bits of sample_type. */
#define PERF_NOTICE_SAMPLE_TYPE \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)

/**
 * Look at what came into the ring up to its last perf_ring_look(), which may be nothing.
 * @switches: notice threads that leave their core, too; such records have who and when
 *            right behind the header.
 */
void perf_notice_look(struct perf_notice *notice, const struct perf_ring *ring, bool switches);

#endif
