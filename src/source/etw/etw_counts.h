/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_ETW_ETW_COUNTS_H
#define WPERF_SOURCE_ETW_ETW_COUNTS_H

/** Sums of what context switches add to the counts of processes, threads or cores. */

#include "profile/counts.h"
#include "source/etw/etw_targets.h"

enum { ETW_EVENTS_MAX = 32 /* as many counters as an Arm PMU may have, at most */ };

struct etw_count {
	uint32_t id; /* of the process, thread or core */
	uint64_t values[ETW_EVENTS_MAX];
};

struct etw_counts {
	struct etw_count *items;
	size_t num_items, cap_items;
	size_t num_events;
	enum count_unit_kind unit_kind; /* processes: the chosen ones */
};

#define ETW_COUNTS_INIT                          \
	{                                        \
		.unit_kind = COUNT_UNIT_PROCESS, \
	}

/** Add a row of zeros, if there is none. */
struct error *etw_counts_add(struct etw_counts *counts, uint32_t id);

/** The next record of all: a sample is what an event added since its thread's last switch. */
struct error *etw_counts_take(struct etw_counts *counts, struct etw_targets *targets,
			      const struct record *record);

/** @counted_ns: how long. @ret: empty, or an earlier result. */
struct error *etw_counts_read(const struct etw_counts *counts, uint64_t counted_ns,
			      struct count_set *ret);

/** No rows. */
void etw_counts_clear(struct etw_counts *counts);
void etw_counts_deinit(struct etw_counts *counts);

#endif
