/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_MEMORY_THREAD_STATE_H
#define WPERF_SOURCE_MEMORY_THREAD_STATE_H

/** What the library keeps of each thread. */

#include <stdbool.h>
#include <stdint.h>

struct thread_state {
	uint64_t left; /* bytes before the next sample; 0 in a thread that has not begun */
	/** All distances between samples so far: what the thread has allocated is this without
	 *  what is left, so that nothing else has to be counted. */
	uint64_t drawn;
	uint64_t period; /* that the last distance was drawn with */
	uint64_t number; /* of the thread in its process; 0: it has not begun */
	uint64_t random;
	uint32_t tid;                   /* of one that has begun */
	uint64_t stack_low, stack_high; /* 0: not known */
	bool knows_stack;
};

/** In the part of thread-local memory that each thread has from its start: access takes one
 *  instruction, and never allocates. */
extern __thread struct thread_state thread_state
	__attribute__((tls_model("initial-exec"), visibility("hidden")));

/** More than is ever allocated: nothing is sampled. */
#define THREAD_STATE_NEVER (UINT64_MAX / 2)

/** Where the program called the allocator. */
struct sampled_caller {
	uint64_t sp, ip, frame;
};

/** Until sampled_thread_resume(), allocations in this thread are parts of the one that is being
 *  made. Returns what that needs. */
static inline uint64_t sampled_thread_pause(void)
{
	uint64_t left = thread_state.left;
	thread_state.left = THREAD_STATE_NEVER;
	return left;
}

#endif
