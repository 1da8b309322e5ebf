/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_PERF_TARGETS_H
#define WPERF_SOURCE_PERF_PERF_TARGETS_H

/** The threads and cores on which a plan's events are opened, and the unit of each in the counts.
 */

#include "source/driver/count_plan.h"

enum { PERF_NAME_SIZE = 16 }; /* TASK_COMM_LEN of the kernel */

struct perf_unit {
	uint32_t id;               /* core, process or thread */
	char name[PERF_NAME_SIZE]; /* the kernel's name of the process or thread; or "" */
};

struct perf_target {
	pid_t thread;     /* -1: all of the core */
	int core;         /* -1: all */
	pid_t process;    /* of the thread */
	size_t place;     /* index of the process in the plan */
	size_t unit;      /* index */
	bool awaits_exec; /* counting starts at exec */
	bool in_cgroup;   /* of the core, only what this control group runs */
	int cgroup;       /* its open folder */
};

/** Ordered by unit. */
struct perf_targets {
	enum count_unit_kind unit_kind;
	struct perf_unit *units;
	size_t num_units, cap_units;
	struct perf_target *items;
	size_t num_items, cap_items;
};

#define PERF_TARGETS_INIT \
	{                 \
	}

/**
 * The current threads of the plan's processes, on each of its cores if it has any; without
 * processes the plan's cores, or all that are online. Call perf_targets_deinit() also after a
 * failure.
 */
struct error *perf_targets_list(struct perf_targets *targets, const struct count_plan *plan);

/** After items were removed: remove units without items. A process without items is an error. */
struct error *perf_targets_settle(struct perf_targets *targets, const struct count_plan *plan);

/** An error if the user wants it to end: thousands of targets take their time to open. */
struct error *perf_targets_check_interrupt(const struct perf_targets *targets);

void perf_targets_deinit(struct perf_targets *targets);

#endif
