/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_THREAD_TASK_NUMBER_H
#define WPERF_PROCESS_THREAD_TASK_NUMBER_H

/** Thread IDs in containers: a thread has another ID in its own PID namespace than in ours. */

#include <stdbool.h>
#include <stdint.h>

/** Is the process in another PID namespace than wperf? */
bool task_number_is_hidden(uint32_t pid);

/** What gettid() returns in the thread; @tid if that is not known. */
uint32_t task_number_inside(uint32_t pid, uint32_t tid);

#endif
