// SPDX-License-Identifier: Apache-2.0

#include "session/process_lives.h"

#include <string.h>

// The life of a process goes from its fork record to the exit record of its first thread. Only
// lives whose two ends were seen are counted: how long the others took is not known. A build with
// thousands of short compiler runs shows why this matters: most of them end before their first
// sample, and their time is missing in the profile.
//
// A program with other rights than its user's is found by what is missing: the kernel reports its
// name (RECORD_COMM with is_exec), and then no mapping.

static void process_lives_add_name(struct process_lives *lives, const char *name)
{
	for (size_t i = 0; i < lives->num_barred_names; i++)
		if (strcmp(lives->barred[i], name) == 0)
			return;
	if (lives->num_barred_names < PROCESS_LIVES_MAX_NAMES)
		strcpy(lives->barred[lives->num_barred_names++], name);
}

static void process_lives_end(struct process_lives *lives, const struct process_table *table,
			      struct process *process, uint64_t time_ns)
{
	const struct process_life life = process->life;
	process->life = (struct process_life){};
	// begin_new_exec() of the kernel reports the new name, then drops the events if it made
	// the process undumpable. It maps the program only after that.
	if (life.awaits_map) {
		lives->num_barred++;
		process_lives_add_name(lives, process_table_thread_name(table, process->pid,
									process->pid));
	}
	if (!life.is_whole)
		return;
	lives->num_ended++;
	if (life.is_sampled)
		return;
	lives->num_unsampled++;
	lives->unsampled_ns += time_ns > life.began_ns ? time_ns - life.began_ns : 0;
}

static bool changes_life(const struct record *record)
{
	switch (record->kind) {
	case RECORD_FORK:
		// Else it is a new thread of the same process.
		return record->pid != record->task.parent_pid;
	case RECORD_EXIT:
		return record->tid == record->pid;
	case RECORD_COMM:
		return record->comm.is_exec;
	case RECORD_MAP:
		return record->mode != RECORD_MODE_KERNEL;
	default:
		return false;
	}
}

struct error *process_lives_apply(struct process_lives *lives, struct process_table *table,
				  const struct record *record)
{
	if (!changes_life(record))
		return NULL;
	struct process *process;
	struct error *err = process_table_process(table, record->pid, &process);
	if (err)
		return err;
	if (record->kind == RECORD_FORK)
		process->life =
			(struct process_life){.is_whole = true, .began_ns = record->time_ns};
	else if (record->kind == RECORD_EXIT)
		process_lives_end(lives, table, process, record->time_ns);
	else
		process->life.awaits_map = record->kind == RECORD_COMM;
	return NULL;
}
