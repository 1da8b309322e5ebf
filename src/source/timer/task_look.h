/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_TIMER_TASK_LOOK_H
#define WPERF_SOURCE_TIMER_TASK_LOOK_H

/** Reads the state of a thread, for callers that do so often. */

#include <stdbool.h>
#include <stdint.h>

/** How long a thread has run, and whether it runs now. */
struct task_clock {
	/**
	 * CPU time so far. For a running thread it is that of the last tick: a few milliseconds ago
	 * on Linux, up to 16 on Windows.
	 */
	uint64_t time_ns;
	uint64_t kernel_ns; /* Windows: time in the kernel; on Linux it is part of @time_ns */
	uint64_t cycles;    /* Windows: up to now; 0: not counted */

	/** Linux. */
	uint64_t delay_ns;  /* waiting for a CPU, up to its last start on one */
	uint64_t num_given; /* how often it started on a CPU */
	bool has_core;      /* it runs, or that is not known; false: @time_ns is exact */
};

/** The open files or handle of a thread. */
struct task_files {
	int stat_fd, clock_fd, status_fd; /* Linux: of files of /proc; -1: none */
	void *thread;                     /* Windows: its handle; NULL: none */
};

#define TASK_FILES_INIT                                         \
	{                                                       \
		.stat_fd = -1, .clock_fd = -1, .status_fd = -1, \
	}

/** False: the thread has ended, or there are too many open files. */
bool task_files_open(uint32_t pid, uint32_t tid, struct task_files *ret);
void task_files_close(struct task_files *files);

/** False: the thread has ended. */
bool task_files_clock(const struct task_files *files, struct task_clock *ret);

/** From here on: Linux only. */

struct task_look {
	bool is_running;      /* or waits for a CPU */
	bool is_over;         /* a zombie */
	uint64_t start_stack; /* changes at exec; 0: not readable */
};

/** Parse a line of /proc/PID/stat; false: it is damaged. */
bool task_look_parse(const char *line, struct task_look *ret);

/** Parse /proc/PID/schedstat and /proc/PID/status; false: the first is damaged. */
bool task_clock_parse(const char *times, const char *status, struct task_clock *ret);

/** False: the thread has ended. */
bool task_files_look(const struct task_files *files, struct task_look *ret);

#endif
