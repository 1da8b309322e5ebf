/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_THREAD_THREAD_ACTIVITY_H
#define WPERF_PROCESS_THREAD_THREAD_ACTIVITY_H

/** The state of a thread now, from the kernel. */

#include <stdbool.h>
#include <stdint.h>

enum thread_state {
	THREAD_UNKNOWN, /* it has ended, or has another state */
	THREAD_RUNS,    /* or waits for a CPU */
	THREAD_SLEEPS,
	THREAD_WAITS_FOR_DISK, /* or for something else that no signal interrupts */
	THREAD_IS_STOPPED,     /* by a signal, or by a debugger */
	NUM_THREAD_STATES,
};

struct thread_activity {
	enum thread_state state;
	uint64_t lock; /* the futex on which it sleeps; 0: none, or not known, which needs
			  the right to debug the process */
};

struct thread_activity thread_activity_read(uint32_t pid, uint32_t tid);

#endif
