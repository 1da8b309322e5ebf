/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_EMULATE_EMULATED_COUNTING_H
#define WPERF_SOURCE_EMULATE_EMULATED_COUNTING_H

/**
 * Counts in an emulated machine, whose threads count all the time in shared memory. Columns are the
 * events of class EVENT_CORE in list order; times are emulated, the sum of all threads.
 */

#include "driver/emulator/region.h"
#include "source/driver/count_plan.h"

struct emulated_column;

struct emulated_counting {
	struct region *region; /* NULL: nothing is counted */
	struct emulated_column *columns;
	size_t num_columns;
	pid_t pid;
	bool per_thread, inherit;
	struct count *base; /* [thread * num_columns + column], at the last reset */
	struct count *row;  /* of one thread: the last read */
};

/** Fill in the region's config; the program must not have started. */
struct error *emulated_counting_open(struct emulated_counting *counting, struct region *region,
				     const struct count_plan *plan);
void emulated_counting_close(struct emulated_counting *counting);

void emulated_counting_reset(struct emulated_counting *counting);
struct error *emulated_counting_read(struct emulated_counting *counting, struct source_counts *ret);

/** Why a column has no numbers; NULL if it has. */
const char *emulated_counting_note(const struct emulated_counting *counting, size_t column);

/** What a column counts; NULL after the last. */
const struct event *emulated_counting_event(const struct emulated_counting *counting,
					    size_t column);

#endif
