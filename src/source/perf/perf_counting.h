/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_PERF_COUNTING_H
#define WPERF_SOURCE_PERF_PERF_COUNTING_H

/**
 * Counts with the Linux kernel: each event is opened on each thread or core; groups of the list are
 * groups of the kernel, which are read together. Columns are the events of class EVENT_PERF and
 * EVENT_CORE in list order; times are nanoseconds, for a process the sum of its threads.
 *
 * The counts of a thread include those of threads that it starts, also after they have ended.
 */

#include "source/driver/count_plan.h"
#include "source/perf/perf_targets.h"

struct perf_column;
struct perf_data_event;

struct perf_counting {
	struct perf_column *columns;
	size_t num_columns;
	struct perf_targets targets;
	int *fds;           /* [target * num_columns + column], as the next two */
	struct count *base; /* the counts at the last reset */
	struct count *last; /* ... and at the last read */
	struct count *row;  /* of one target: the last read */
	uint64_t *buffer;   /* for reading a group */
	size_t num_fds;
	bool skips_absent; /* see count_plan */
	bool awaits_exec;  /* exec enables the events */
	bool is_on;
	bool is_settled; /* nothing was counted since the last read: `last` is how it is now */
};

#define PERF_COUNTING_INIT \
	{                  \
	}

/**
 * Open all events of the plan, disabled. The plan's events must outlive @counting, the plan need
 * not. Raises the limit of open files if needed. After a failure, nothing is open.
 */
struct error *perf_counting_open(struct perf_counting *counting, const struct count_plan *plan);
void perf_counting_close(struct perf_counting *counting);

/** The first start does not enable events that exec enables. */
struct error *perf_counting_start(struct perf_counting *counting);
struct error *perf_counting_stop(struct perf_counting *counting);
/** See count_ops.switch_group(). */
struct error *perf_counting_switch(struct perf_counting *counting, size_t leader, bool is_on);
struct error *perf_counting_reset(struct perf_counting *counting);

/** The counts since the last reset. @ret: see count_ops.h; ended by source_counts_deinit(). */
struct error *perf_counting_read(struct perf_counting *counting, struct source_counts *ret);

void perf_counting_event(const struct perf_counting *counting, size_t column,
			 struct perf_data_event *ret);

/** A caveat about the column's numbers for the user, or NULL. */
const char *perf_counting_note(const struct perf_counting *counting, size_t column);

/** Is this machine unable to count the column's event? Count and time are then 0. */
bool perf_counting_is_absent(const struct perf_counting *counting, size_t column);

/** The code that the cores' PMU counts in this column; false if it is another event. */
bool perf_counting_core_code(const struct perf_counting *counting, size_t column, uint64_t *ret);

/** The n-th core that went offline while it was counted; false after the last. */
bool perf_counting_lost_core(const struct perf_counting *counting, size_t n, uint32_t *ret_core);

/** The kernel's name of the process or thread at the start; NULL if there is none. */
const char *perf_counting_unit_name(const struct perf_counting *counting, size_t unit);

#endif
