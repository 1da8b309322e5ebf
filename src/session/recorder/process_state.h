/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_RECORDER_PROCESS_STATE_H
#define WPERF_SESSION_RECORDER_PROCESS_STATE_H

/**
 * What is known of processes at one moment, as records: a recording that begins then has them in
 * front. Each process and thread that has not ended gets its name, each mapping a record.
 */

#include "process/process_table.h"
#include "record/record.h"

/** Begins with zeros, apart from the table. */
struct process_state {
	const struct process_table *table;
	uint64_t time_ns; /* of the records */
	/* private */
	size_t process, mapping, thread;
	bool is_given;
};

/** The next record, mappings first. @ret: valid while the table is unchanged. False: that was all.
 */
bool process_state_next(struct process_state *state, struct record *ret);

/** Applies a record to a table that this is called for: also forgets the names of threads that end,
 *  which the table itself keeps for late samples. */
struct error *process_state_apply(struct process_table *table, const struct record *record);

#endif
