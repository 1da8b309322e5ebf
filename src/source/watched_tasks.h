/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_WATCHED_TASKS_H
#define WPERF_SOURCE_WATCHED_TASKS_H

/**
 * Processes that somebody looks at from time to time, with their threads and all that they start:
 * looked for, as nobody tells us. What begins and ends between two scans is not seen.
 */

#include "base/error.h"
#include "source/task_look.h"
#include "source/watched_program.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct watched_thread {
	uint32_t pid, tid;
	struct task_files files;
	struct task_clock clock; /* as of the last look */
	uint64_t unshared_ns;    /* of its time, no sample has this */
	uint64_t unshared_kernel_ns;
	uint64_t recent_ns; /* Windows: when it was last known to run */
	uint64_t stack_end; /* Windows: behind the highest byte of its stack; 0: not known yet */
	bool was_running, has_gone_on, is_in_doubt;
	struct task_clock doubt; /* when a sample of it came to be in doubt */
	/* private */
	bool is_there;
};

struct watched_process {
	uint32_t pid;
	struct watched_program *program; /* NULL: it was over before it was seen */
	uint64_t identity;               /* of what it runs */
	bool has_ended, is_complete;
	uint64_t maps_due_ns, maps_wait_ns;
};

/** What a scan found out. */
enum task_news_kind {
	TASK_NEWS_PROGRAM, /* a process is new, or runs another program */
	TASK_NEWS_MAPS,    /* it is time to look at what it has mapped */
	TASK_NEWS_THREAD,
	TASK_NEWS_THREAD_END,
	TASK_NEWS_END, /* of the process */
};

struct task_news {
	enum task_news_kind kind;
	uint32_t pid, tid;
	uint64_t time_ns; /* of the scan */
};

struct watched_tasks {
	struct watched_thread *threads;
	size_t num_threads, cap_threads;
	struct watched_process *processes;
	size_t num_processes, cap_processes;
	struct task_news *news;
	size_t num_news, cap_news, num_told;
	uint64_t now_ns;
};

#define WATCHED_TASKS_INIT \
	{                  \
	}

/** A process that is to be watched from now on; its time so far is of no interest. */
struct error *watched_tasks_add(struct watched_tasks *tasks, uint32_t pid);

/** Look for what is new, with the time that it is now. */
struct error *watched_tasks_scan(struct watched_tasks *tasks, uint64_t now_ns);

/** The oldest thing that scans found, until it is dropped; NULL: nothing. */
const struct task_news *watched_tasks_news(const struct watched_tasks *tasks);
void watched_tasks_drop_news(struct watched_tasks *tasks);

/** Nothing that this program still maps is of interest. */
void watched_tasks_complete(struct watched_tasks *tasks, uint32_t pid);

void watched_tasks_deinit(struct watched_tasks *tasks);

#endif
