/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_COUNT_PLAN_H
#define WPERF_SOURCE_COUNT_PLAN_H

/**
 * What is to be counted, where and how; and what came out. A source that schedules counters
 * itself (the driver, the simulator) goes by the placements, the Linux kernel by the list.
 */

#include "catalog/event_list.h"
#include "catalog/placement.h"
#include "profile/counts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COUNT_ALL_CHANNELS = 255 };

/** Cores that count events of their own. */
struct count_core_plan {
	const struct placement *placement; /* of class EVENT_CORE */
	const unsigned *cores;
	size_t num_cores;
};

struct count_plan {
	const struct event_list *events;
	const struct placement *placements; /* NUM_PMU_CLASSES of them */
	bool kernel;        /* -k: kernel code, too, where no modifier says otherwise */
	uint32_t period_ms; /* between two multiplexed windows */
	bool skips_absent;  /* an event that the machine cannot count does not stop the others */
	unsigned channel;   /* of the memory controller, or COUNT_ALL_CHANNELS */

	const unsigned *cores; /* whole cores, ascending; or, with processes, only there */
	size_t num_cores;

	/* Where cores count different events: in place of placements[EVENT_CORE], and the cores of
	   all of these, in this order, are those of `cores`. Only by placements. */
	const struct count_core_plan *core_plans;
	size_t num_core_plans;

	/* Processes (sources with counts_processes): then units are processes, not cores. */
	const uint32_t *pids;
	size_t num_pids;
	bool per_thread;     /* units are the threads of these processes */
	bool inherit;        /* children that they start, too */
	bool enable_on_exec; /* counting starts with the program that pids[0] is about to become */
};

/** How much each event was counted, by class (enum event_class). */
struct source_counts {
	/**
	 * EVENT_CORE: column 0 is the fixed cycle counter, column i + 1 the i-th event of the
	 * placement, padding included; EVENT_DSU likewise; the DMC classes have no column 0 of
	 * that kind. EVENT_PERF: column i is the i-th event of class EVENT_PERF or EVENT_CORE in
	 * the list, for sources that count by the list (then EVENT_CORE's set is empty).
	 *
	 * With core_plans the set of EVENT_CORE has as many columns as the longest of them needs;
	 * what is behind a core's own is 0.
	 */
	struct count_set sets[NUM_EVENT_CLASSES];
};

#define SOURCE_COUNTS_INIT \
	{                  \
	}

void source_counts_deinit(struct source_counts *counts);

#endif
