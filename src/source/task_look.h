/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_TASK_LOOK_H
#define WPERF_SOURCE_TASK_LOOK_H

/** What the system tells of a thread at one moment, for those who look often. */

#include <stdbool.h>
#include <stdint.h>

/** How long a thread has run, and whether it does. */
struct task_clock {
	/**
	 * On a core so far. Of a thread that has a core now systems tell what they knew at their
	 * last tick: a few milliseconds ago on Linux, up to 16 on Windows.
	 */
	uint64_t time_ns;
	uint64_t kernel_ns; /* Windows: of its own, in the kernel; elsewhere @time_ns has it */
	uint64_t cycles;    /* Windows: to this moment; 0: nobody counts them */

	/** Linux. */
	uint64_t delay_ns;  /* that it waited for a core, up to when it was given one last */
	uint64_t num_given; /* how often it was given one */
	bool has_core; /* else @time_ns is right to this moment; true also where nobody knows */
};

/** What a thread is asked by, kept open. */
struct task_files {
	int stat_fd, clock_fd, status_fd; /* Linux: of files of /proc; -1: none */
	void *thread;                     /* Windows: its handle; NULL: none */
};

#define TASK_FILES_INIT                                         \
	{                                                       \
		.stat_fd = -1, .clock_fd = -1, .status_fd = -1, \
	}

/** False: it is not there any more, or there are too many open files. */
bool task_files_open(uint32_t pid, uint32_t tid, struct task_files *ret);
void task_files_close(struct task_files *files);

/** False: the thread has gone. */
bool task_files_clock(const struct task_files *files, struct task_clock *ret);

/** What follows is Linux's alone. */

struct task_look {
	bool is_running;      /* or wants to, and waits for a core */
	bool is_over;         /* nobody has waited for it yet */
	uint64_t start_stack; /* another one: it runs another program; 0: may not be seen */
};

/** A line of /proc/PID/stat. False: it is none. */
bool task_look_parse(const char *line, struct task_look *ret);

/** The lines of /proc/PID/schedstat and /proc/PID/status. False: the first is none. */
bool task_clock_parse(const char *times, const char *status, struct task_clock *ret);

/** False: the thread has gone. */
bool task_files_look(const struct task_files *files, struct task_look *ret);

#endif
