/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_PROCESS_WATCH_H
#define WPERF_PROCESS_PROCESS_WATCH_H

/** A process that runs already, and whose end is waited for. */

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/** @ret: what interrupt_wait() takes, ready when the process has ended; ended by
 *  process_watch_close(). */
struct error *process_watch_open(uint32_t pid, int *ret);

/** It is -1 then, and was perhaps before. */
void process_watch_close(int *fd);

/** Also of what nobody has waited for; false if it cannot be told. */
bool process_watch_has_ended(uint32_t pid);

#endif
