/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_TASK_LOOK_H
#define WPERF_SOURCE_TASK_LOOK_H

/** What /proc tells of a thread at one moment, for those who look often. */

#include <stdbool.h>
#include <stdint.h>

struct task_look {
	bool is_running;      /* or wants to, and waits for a core */
	bool is_over;         /* nobody has waited for it yet */
	uint64_t start_stack; /* another one: it runs another program; 0: may not be seen */
};

/** A line of /proc/PID/stat. False: it is none. */
bool task_look_parse(const char *line, struct task_look *ret);

/** How long a thread has run, and whether it does. */
struct task_clock {
	/**
	 * On a core so far. Of a thread that has a core now the kernel tells what it knew at its
	 * last tick, a few milliseconds ago.
	 */
	uint64_t time_ns;
	uint64_t delay_ns;  /* that it waited for a core, up to when it was given one last */
	uint64_t num_given; /* how often it was given one */
	bool has_core; /* else @time_ns is right to this moment; true also where nobody knows */
};

/** The lines of /proc/PID/schedstat and /proc/PID/status. False: the first is none. */
bool task_clock_parse(const char *times, const char *status, struct task_clock *ret);

/** The files of a thread, kept open. */
struct task_files {
	int stat_fd, clock_fd, status_fd; /* -1: none */
};

#define TASK_FILES_INIT                                         \
	{                                                       \
		.stat_fd = -1, .clock_fd = -1, .status_fd = -1, \
	}

/** False: it is not there any more, or there are too many open files. */
bool task_files_open(uint32_t pid, uint32_t tid, struct task_files *ret);
void task_files_close(struct task_files *files);

/** False: the thread has gone. */
bool task_files_look(const struct task_files *files, struct task_look *ret);

bool task_files_clock(const struct task_files *files, struct task_clock *ret);

#endif
