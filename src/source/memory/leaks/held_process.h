/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_MEMORY_LEAKS_HELD_PROCESS_H
#define WPERF_SOURCE_MEMORY_LEAKS_HELD_PROCESS_H

/** A process of which all threads are stopped, and what they have in their registers. */

#include "base/error.h"
#include "process/thread/thread_hold.h"

#include <stddef.h>
#include <stdint.h>

struct held_process {
	uint32_t pid;
	struct thread_hold **threads; /* each where it was made, as it is not to be moved */
	size_t num_threads, cap_threads;
	uint64_t *words; /* of all registers, one thread behind the other */
	size_t num_words, cap_words;
	uint64_t main_sp; /* the stack pointer of the first thread; 0: not known */
	struct thread_hold *late;
};

#define HELD_PROCESS_INIT \
	{                 \
	}

/**
 * Stop all threads, also those that begin meanwhile. After an error, all go on.
 * @until_ns: by CLOCK_MONOTONIC; if some still run then, that is an error.
 * @late: takes threads that do not stop in time, see thread_hold_leave(); outlives the process.
 */
struct error *held_process_begin(struct held_process *process, uint32_t pid, uint64_t until_ns,
				 struct thread_hold *late);

/** They go on. */
void held_process_end(struct held_process *process);

#endif
