/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_PROCESS_WATCH_H
#define WPERF_PROCESS_PROCESS_WATCH_H

/** Notices when a process has ended. */

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * @ret: for interrupt_wait(), which it wakes when the process has ended; the caller closes it with
 * process_watch_close(). It means this process even after the system gives its ID to another one.
 */
struct error *process_watch_open(uint32_t pid, int *ret);

/** Sets it to -1; does nothing if it is -1. */
void process_watch_close(int *fd);

/** A zombie has ended. Does not wait. */
bool process_watch_has_ended(int fd);

#endif
