/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_PERF_FILE_H
#define WPERF_SOURCE_PERF_PERF_FILE_H

/** File descriptors of perf events: opens one, and raises the limit for many. */

#include <linux/perf_event.h>
#include <stddef.h>
#include <sys/types.h>

enum { PERF_FILES_BESIDES = 64 }; /* room for files that are not events */

/** A file descriptor, or -errno. @leader: of its group, or -1. */
int perf_file_open(const struct perf_event_attr *attr, pid_t thread, int core, int leader);

/** The same for what runs of a control group on a core. @cgroup: its open folder. */
int perf_file_open_cgroup(const struct perf_event_attr *attr, int cgroup, int core, int leader);

/**
 * Raise the limit of open files for so many events. If that is not possible, opening them fails;
 * only root can exceed the hard limit.
 */
void perf_file_raise_limit(size_t num_files);

/** Closes from last to first, so that the kernel need not dissolve groups without a leader. */
void perf_file_close_all(int *fds, size_t num_fds);

#endif
