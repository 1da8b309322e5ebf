/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_DRIVER_COUNT_PLAN_H
#define WPERF_SOURCE_DRIVER_COUNT_PLAN_H

/**
 * What to count, where and how; and the result. Sources that schedule counters themselves (the
 * driver, the simulator) use the placements, the Linux kernel uses the list.
 */

#include "catalog/event_list.h"
#include "catalog/placement.h"
#include "profile/counts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COUNT_ALL_CHANNELS = 255 };

/** Cores that count other events than the rest. */
struct count_core_plan {
	const struct placement *placement; /* of class EVENT_CORE */
	const unsigned *cores;
	size_t num_cores;
};

struct count_plan {
	const struct event_list *events;
	const struct placement *placements; /* NUM_PMU_CLASSES of them */
	bool kernel;        /* -k: also kernel code, unless a modifier says otherwise */
	uint32_t period_ms; /* of one window of multiplexing */
	bool skips_absent;  /* an event that the machine cannot count does not stop the others */
	bool raises_limits; /* of our own process: that of open files */
	unsigned channel;   /* of the memory controller, or COUNT_ALL_CHANNELS */

	const unsigned *cores; /* ascending; with processes: count them only on these */
	size_t num_cores;

	/* If cores count different events, instead of placements[EVENT_CORE]; their cores, in this
	   order, are `cores`. Only for sources that use the placements. */
	const struct count_core_plan *core_plans;
	size_t num_core_plans;

	/* Control groups, for sources with counts_cgroups: each on all of `cores`. Units are then
	   these, by their index. */
	const int *cgroups; /* open folders */
	size_t num_cgroups;

	/* Processes, for sources with counts_processes; units are then processes, not cores. */
	const uint32_t *pids;
	size_t num_pids;
	uint32_t only_thread;     /* of these processes, this thread alone; 0: all */
	uint32_t left_out_thread; /* of these processes, all but this one; 0: none */
	bool per_thread;          /* units are the threads of these processes */
	bool inherit;             /* also processes that they start */
	bool enable_on_exec;      /* counting starts when pids[0] execs the program */
};

/** The counts by event class (enum event_class). */
struct source_counts {
	/**
	 * EVENT_CORE: column 0 is the fixed cycle counter, column i + 1 the i-th event of the
	 * placement, padding included; EVENT_DSU likewise; the DMC classes have no column 0 of
	 * that kind. EVENT_PERF: column i is the i-th event of class EVENT_PERF or EVENT_CORE in
	 * the list, for sources that count by the list (then EVENT_CORE's set is empty).
	 *
	 * With core_plans, the set of EVENT_CORE has the columns of the longest one; the rest of a
	 * shorter one is 0.
	 */
	struct count_set sets[NUM_EVENT_CLASSES];
};

#define SOURCE_COUNTS_INIT \
	{                  \
	}

void source_counts_deinit(struct source_counts *counts);

#endif
