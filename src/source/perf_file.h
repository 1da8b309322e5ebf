/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_FILE_H
#define WPERF_SOURCE_PERF_FILE_H

/** The kernel's events as files: opening one, and having many open. */

#include <linux/perf_event.h>
#include <stddef.h>
#include <sys/types.h>

enum { PERF_FILES_BESIDES = 64 }; /* what a program may have open that is not an event */

/** A file descriptor, or -errno. @leader: of its group, or -1. */
int perf_file_open(const struct perf_event_attr *attr, pid_t thread, int core, int leader);

/**
 * Let this process have so many events open. If that does not help, opening says so; only root may
 * go beyond the hard limit.
 */
void perf_file_raise_limit(size_t num_files);

/** From the last to the first: a group without a leader would have to be taken apart. */
void perf_file_close_all(int *fds, size_t num_fds);

#endif
