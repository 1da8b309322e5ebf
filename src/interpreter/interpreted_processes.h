/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_INTERPRETED_PROCESSES_H
#define WPERF_INTERPRETER_INTERPRETED_PROCESSES_H

/**
 * The processes of the target that run an interpreter, of whatever kind.
 */

#include "base/error.h"
#include "interpreter/interpreted_process.h"

struct interpreted_processes;

/** What stacks have besides frames. */
struct interpreted_extras {
	bool by_task;     /* a stack begins with the task that ran, if one did */
	bool with_raises; /* at samples where an exception is raised, it ends with that */
};

/** @loops: must outlive the processes; says where files are searched. */
struct error *interpreted_processes_create(const struct interpreted_extras *extras,
					   struct eval_loops *loops,
					   struct interpreted_processes **ret);
void interpreted_processes_destroy(struct interpreted_processes *processes); /* NULL is fine */

/** Code that is gone may have been copied by the source; it must outlive the processes. */
void interpreted_processes_set_source(struct interpreted_processes *processes,
				      struct source *source);

/** After process_table_apply(): does the record's process have an interpreter? */
struct error *interpreted_processes_note(struct interpreted_processes *processes,
					 struct process_table *table, const struct record *record,
					 struct interpreter_change *ret);

/** NULL: there is no interpreter in this process. Valid until the next record is noted. */
struct interpreted_process *interpreted_processes_find(struct interpreted_processes *processes,
						       uint32_t pid);

/** All places found so far. */
const struct code_places *interpreted_processes_places(
	const struct interpreted_processes *processes);

/** What could not be read, as complete lines for the user; "" if there was nothing. */
const char *interpreted_processes_notes(const struct interpreted_processes *processes);

/** The number of frames whose code could not be read, because it was freed before. */
uint64_t interpreted_processes_num_unnamed(const struct interpreted_processes *processes);

#endif
