/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PROMPT_THREAD_H
#define WPERF_SOURCE_PROMPT_THREAD_H

/**
 * Ask the scheduler to run the calling thread soon after it wakes, even on a busy machine, by
 * requesting short time slices. Needs no privilege; has no effect before Linux 6.12.
 */
void prompt_thread_ask(void);

/**
 * Let the calling thread run before others, as far as its user may (root; RLIMIT_NICE). Among
 * thousands of busy threads it would get a core only every few seconds otherwise. What it starts
 * does not inherit this.
 */
void prompt_thread_precede(void);

#endif
