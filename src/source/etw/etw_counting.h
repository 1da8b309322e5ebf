/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_ETW_ETW_COUNTING_H
#define WPERF_SOURCE_ETW_ETW_COUNTING_H

/**
 * Counts of processes by ETW: Windows notes the counters of a CPU at each context switch, and what
 * came since the last one belongs to the thread that leaves.
 */

#include "source/driver/count_plan.h"
#include "source/etw/etw_events.h"
#include "source/etw/etw_recording.h"
#include "source/etw/etw_targets.h"

struct etw_counting {
	const struct etw_calls *calls;
	const struct count_plan *plan;
	struct etw_events events;
	struct etw_targets targets;
	struct etw_recording recording;
	struct etw_counts counts;
	uint64_t began_ns, counted_ns;
};

#define ETW_COUNTING_INIT \
	{                 \
	}

/** The plan must outlive it. */
struct error *etw_counting_open(struct etw_counting *counting, const struct etw_calls *calls,
				const struct etw_sources *sources, const struct count_plan *plan,
				struct etw_notes *notes);
struct error *etw_counting_start(struct etw_counting *counting);

/** All counts are made here, of the file. */
struct error *etw_counting_stop(struct etw_counting *counting);
struct error *etw_counting_reset(struct etw_counting *counting);
struct error *etw_counting_read(struct etw_counting *counting, struct source_counts *ret);
void etw_counting_close(struct etw_counting *counting);

#endif
