/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_TASK_NUMBER_H
#define WPERF_PROCESS_TASK_NUMBER_H

/** Threads of containers have two numbers: ours, and that which they know themselves by. */

#include <stdbool.h>
#include <stdint.h>

/** Does the process live in a PID namespace that is not ours? */
bool task_number_is_hidden(uint32_t pid);

/** What gettid() says to the thread; @tid itself if nothing says another one. */
uint32_t task_number_inside(uint32_t pid, uint32_t tid);

#endif
