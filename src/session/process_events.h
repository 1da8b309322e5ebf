/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_PROCESS_EVENTS_H
#define WPERF_SESSION_PROCESS_EVENTS_H

/**
 * Process events that the source does not report: the processes, maps and threads that exist before
 * its first record and, on Windows, where the system does not report them, all later ones. Those
 * are queried before the samples of each round are taken, and get the time of the query before, so
 * that they precede all samples in between.
 *
 * All processes that a command starts are known, even those that end at once. Children of processes
 * that ran before wperf are found in the list of all processes, which is read every 10 ms, or every
 * fifty times the duration of reading it.
 */

#include "process/thread/running.h"
#include "session/family.h"
#include "session/target.h"

struct process_events {
	struct target *target;
	struct running *running;
	bool is_watched;      /* process_events_look() is called */
	bool is_of_all;       /* the target is the whole system */
	struct family family; /* otherwise: the target's processes */
	uint64_t looked_ns;   /* when the last query began */
	uint64_t listed_ns;   /* when @running was queried, the last time ... */
	uint64_t since_ns;    /* ... and the one before */
	uint64_t list_due_ns; /* when to list all processes again */
	size_t next_ended;    /* index of the member whose end is reported next */
};

#define PROCESS_EVENTS_INIT \
	{                   \
	}

/**
 * process_events_next() then reports what exists. Call it before a command is released.
 * @target:     must outlive this.
 * @pids:       of the target; none: the whole system.
 * @is_watched: process_events_look() will be called before each round; the kernel's images are
 *              reported, too.
 */
struct error *process_events_open(struct process_events *events, struct target *target,
				  const uint32_t *pids, size_t num_pids, bool is_watched);

/**
 * If it is watched, and process_events_next() has reported everything: query again.
 * @pause_ns:      the minimum time between two queries of a process for its loaded modules.
 * @ret_has_begun: there is a new process.
 */
struct error *process_events_look(struct process_events *events, uint64_t pause_ns,
				  bool *ret_has_begun);

/** The next event. @ret: valid until the next call. @ret_more: false at the end. */
struct error *process_events_next(struct process_events *events, struct record *ret,
				  bool *ret_more);

/** Did this process belong to the target at that time? */
bool process_events_is_ours(const struct process_events *events, uint32_t pid, uint64_t time_ns);

void process_events_deinit(struct process_events *events);

#endif
