/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PROMPT_THREAD_H
#define WPERF_SOURCE_PROMPT_THREAD_H

/**
 * Ask the scheduler to run the calling thread soon after it wakes, even on a busy machine, by
 * requesting short time slices. Needs no privilege; has no effect before Linux 6.12.
 */
void prompt_thread_ask(void);

#endif
