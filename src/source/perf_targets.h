/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_TARGETS_H
#define WPERF_SOURCE_PERF_TARGETS_H

/** What a plan's events are opened on, one by one, and the unit that each of them counts for. */

#include "source/count_plan.h"

enum { PERF_NAME_SIZE = 16 }; /* TASK_COMM_LEN of the kernel */

struct perf_unit {
	uint32_t id;               /* core, process or thread */
	char name[PERF_NAME_SIZE]; /* of the process or thread, as the kernel knows it; or "" */
};

struct perf_target {
	pid_t thread;     /* -1: all that run on the core */
	int core;         /* -1: all of them */
	pid_t process;    /* of the thread */
	size_t place;     /* of the process in the plan */
	size_t unit;      /* index */
	bool awaits_exec; /* counting starts when it becomes another program */
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
 * The threads of the plan's processes as they are now, on each of its cores if it has any; without
 * processes its cores, all that are online if it names none.
 * On failure @targets may hold some; it is ended by perf_targets_deinit() either way.
 */
struct error *perf_targets_list(struct perf_targets *targets, const struct count_plan *plan);

/** Some items were removed: forget units that have none left. A process without any is an error. */
struct error *perf_targets_settle(struct perf_targets *targets, const struct count_plan *plan);

void perf_targets_deinit(struct perf_targets *targets);

#endif
