/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_THREAD_ACTIVITY_H
#define WPERF_PROCESS_THREAD_ACTIVITY_H

/** What a thread does at this moment, as the kernel tells it. */

#include <stdbool.h>
#include <stdint.h>

enum thread_state {
	THREAD_UNKNOWN, /* it is over, or in a state that has no name here */
	THREAD_RUNS,    /* or would, if it had a core */
	THREAD_SLEEPS,
	THREAD_WAITS_FOR_DISK, /* or for something else that no signal interrupts */
	THREAD_IS_STOPPED,     /* by a signal, or by a debugger */
	NUM_THREAD_STATES,
};

struct thread_activity {
	enum thread_state state;
	uint64_t lock; /* the word that it sleeps on until another thread wakes it; 0: none,
			  or not known: that takes the right to debug the process */
};

struct thread_activity thread_activity_read(uint32_t pid, uint32_t tid);

#endif
