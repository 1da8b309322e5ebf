/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_TIMER_WATCHED_TASKS_H
#define WPERF_SOURCE_TIMER_WATCHED_TASKS_H

/**
 * Watched processes with their threads and descendants, found by regular scans, because the system
 * does not report them. What begins and ends between two scans is missed.
 */

#include "base/error.h"
#include "source/timer/task_look.h"
#include "source/timer/watched_program.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct watched_thread {
	uint32_t pid, tid;
	struct task_files files;
	struct task_clock clock; /* as of the last look */
	uint64_t unshared_ns;    /* CPU time that is in no sample yet */
	uint64_t unshared_kernel_ns;
	uint64_t recent_ns; /* Windows: when it was last known to run */
	uint64_t stack_end; /* Windows: the end of its stack; 0: not known yet */
	bool was_running, has_gone_on, is_in_doubt;
	struct task_clock doubt; /* when its sample became TIMED_IN_DOUBT */
	/* private */
	bool is_there;
};

struct watched_process {
	uint32_t pid, parent_pid;        /* parent: 0: it was there before */
	struct watched_program *program; /* NULL: it had ended before */
	uint64_t identity;               /* of its program */
	bool has_ended, is_complete;
	uint64_t maps_due_ns, maps_wait_ns;
};

/** What a scan has found. */
enum task_events_kind {
	TASK_EVENTS_FORK,    /* a new process, as a copy of its parent; perhaps not for long */
	TASK_EVENTS_PROGRAM, /* a new process that is no copy, or exec */
	TASK_EVENTS_MAPS,    /* it is time to read its maps */
	TASK_EVENTS_THREAD,
	TASK_EVENTS_THREAD_END,
	TASK_EVENTS_END, /* of the process */
};

struct task_events {
	enum task_events_kind kind;
	uint32_t pid, tid; /* tid: of a fork: the parent's pid */
	uint64_t time_ns;  /* of the scan */
};

struct watched_tasks {
	struct watched_thread *threads;
	size_t num_threads, cap_threads;
	struct watched_process *processes;
	size_t num_processes, cap_processes;
	struct task_events *events;
	size_t num_events, cap_events, num_told;
	uint64_t now_ns;
	uint32_t only_thread;     /* of sample_plan.h: 0: all; what it starts is not watched */
	uint32_t left_out_thread; /* likewise; 0: none */
};

#define WATCHED_TASKS_INIT \
	{                  \
	}

/** Watch a process from now on; its CPU time so far does not count. */
struct error *watched_tasks_add(struct watched_tasks *tasks, uint32_t pid);

/** Scan for changes. */
struct error *watched_tasks_scan(struct watched_tasks *tasks, uint64_t now_ns);

/** The oldest change, until it is dropped; NULL: there is none. */
const struct task_events *watched_tasks_events(const struct watched_tasks *tasks);
void watched_tasks_drop_events(struct watched_tasks *tasks);

/** No more TASK_EVENTS_MAPS for this program, nor for what it forks. Nothing happens if the process
 *  has become another program meanwhile: that is still to be told. */
void watched_tasks_complete(struct watched_tasks *tasks, uint32_t pid);

void watched_tasks_deinit(struct watched_tasks *tasks);

#endif
