/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_COUNTING_H
#define WPERF_SOURCE_PERF_COUNTING_H

/**
 * Counting by the Linux kernel: each event is opened on each thread or core, groups of the list
 * as groups of the kernel, which are read at once. Columns are the events of class EVENT_PERF and
 * EVENT_CORE in list order; times are nanoseconds, of a process the sum over its threads.
 *
 * Threads that a counted one starts are counted with it, and keep their share when they end.
 */

#include "source/count_plan.h"
#include "source/perf_targets.h"

struct perf_column;

struct perf_counting {
	struct perf_column *columns;
	size_t num_columns;
	struct perf_targets targets;
	int *fds;           /* [target * num_columns + column], as are: */
	struct count *base; /* what was counted at the last reset */
	struct count *row;  /* of one target, as read last */
	uint64_t *buffer;   /* a group as the kernel gives it */
	size_t num_fds;
	bool skips_absent; /* as the plan says */
	bool awaits_exec;  /* a program that is yet to start switches its events on */
};

#define PERF_COUNTING_INIT \
	{                  \
	}

/**
 * Open all events of the plan; nothing counts yet. The plan may go afterwards, its events not.
 * Raises the limit of open files if it has to. On failure nothing is left open.
 */
struct error *perf_counting_open(struct perf_counting *counting, const struct count_plan *plan);
void perf_counting_close(struct perf_counting *counting);

/** The first start leaves what the plan enables on exec to that. */
struct error *perf_counting_start(struct perf_counting *counting);
struct error *perf_counting_stop(struct perf_counting *counting);
struct error *perf_counting_reset(struct perf_counting *counting);

/** Since the last reset. @ret is ended by source_counts_deinit(). */
struct error *perf_counting_read(struct perf_counting *counting, struct source_counts *ret);

/** What the column's numbers are not, though somebody might think so; NULL if there is nothing. */
const char *perf_counting_note(const struct perf_counting *counting, size_t column);

/** Can this machine not count the column's event? It is 0 then, for no time. */
bool perf_counting_is_absent(const struct perf_counting *counting, size_t column);

/** The code that a PMU of the cores counts there; false if it is no such code. */
bool perf_counting_core_code(const struct perf_counting *counting, size_t column, uint64_t *ret);

/** The n-th of the cores that went offline while they were counted; false behind the last. */
bool perf_counting_lost_core(const struct perf_counting *counting, size_t n, uint32_t *ret_core);

/** Of the process or thread, as the kernel knew it at the start; NULL if it has none. */
const char *perf_counting_unit_name(const struct perf_counting *counting, size_t unit);

#endif
