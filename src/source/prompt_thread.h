/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PROMPT_THREAD_H
#define WPERF_SOURCE_PROMPT_THREAD_H

#include <stdint.h>

/** The thread that samples; zero-initialized. */
struct prompt_thread {
	uint32_t tid; /* 0: nothing was asked for */
	uint64_t slice_before_ns;
	int priority_before; /* Windows */
};

/**
 * Ask the scheduler to run the calling thread soon after it wakes, even on a busy machine: by short
 * time slices, which need no privilege and have no effect before Linux 6.12; on Windows by its
 * priority.
 */
void prompt_thread_begin(struct prompt_thread *prompt);

/** The thread becomes what it was before; again or elsewhere than in this thread: does nothing. */
void prompt_thread_end(struct prompt_thread *prompt);

/**
 * Let the calling thread run before others from now on, as far as its user may (root;
 * RLIMIT_NICE). Among thousands of busy threads it would get a core only every few seconds
 * otherwise. What it starts does not inherit this.
 */
void prompt_thread_precede(void);

#endif
