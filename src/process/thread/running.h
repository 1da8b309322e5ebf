/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_THREAD_RUNNING_H
#define WPERF_PROCESS_THREAD_RUNNING_H

/**
 * Processes that run when recording begins, as the records that they would have left: names of
 * threads, executable mappings, and the kernel's text. On Windows, where the system does not report
 * modules that are loaded later, this reports those, too.
 */

#include "base/error.h"
#include "record/record.h"

#include <stdbool.h>
#include <stdint.h>

struct running;

/** @pids: none: all processes. There are no records of processes that have ended or that this user
 *  may not read. */
struct error *running_open(const uint32_t *pids, size_t num_pids, struct running **ret);

/** @ret: valid until the next call. @ret_more: false at the end. */
struct error *running_next(struct running *running, struct record *ret, bool *ret_more);

/** Must this report what is loaded later, because the system does not? */
extern const bool running_reports_changes;

/** Windows: also report the kernel's images, next. On Linux the kernel's text is always reported.
 */
struct error *running_add_kernel(struct running *running);

/** Add a process, if it is missing; its records are next. */
struct error *running_add(struct running *running, uint32_t pid);

/** After running_next() has returned all: remove a process that has ended. */
void running_drop(struct running *running, uint32_t pid);

/** After running_next() has returned all: look for changes, if running_reports_changes; their
 * records are next. Takes microseconds for each process; for the whole system also a millisecond
 * for the list. */
struct error *running_look_again(struct running *running);

/** The current name of a thread; false and "" if it does not exist. @size: of @ret, not 0. */
bool running_thread_name(uint32_t pid, uint32_t tid, char *ret, size_t size);

void running_destroy(struct running *running);
static inline void running_destroyp(struct running **running)
{
	running_destroy(*running);
}

#endif
