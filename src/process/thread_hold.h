/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_THREAD_HOLD_H
#define WPERF_PROCESS_THREAD_HOLD_H

/**
 * A thread of another process that is stopped for a moment, and goes on as if nothing had been:
 * signals that come meanwhile are delivered, and its end is its own. If we are killed meanwhile,
 * Linux lets it go; Windows does not, so that it is held as briefly as can be.
 */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	THREAD_HOLD_MAX_LATE = 32,
};

/** One that did not stop in time (it is in the kernel) is let go when it does. */
struct late_thread {
	uint32_t tid;
	bool has_waiter;   /* somebody else waits for its end */
	uint64_t until_ns; /* then it is none that we trace; UINT64_MAX: we do trace it */
};

struct thread_hold {
	uint32_t pid, tid; /* tid 0: none is held */
	bool is_child;     /* of ours: whoever started the process waits for its end */
	int signal;        /* that the thread stopped with, and gets when it goes on */
	void *thread;      /* Windows: its handle, while it is held */
	struct late_thread late[THREAD_HOLD_MAX_LATE];
	size_t num_late;
};

/** @hold: all 0 at first. False: it has ended, somebody else traces it, or it does not stop within
 * milliseconds. */
bool thread_hold_begin(struct thread_hold *hold, uint32_t pid, uint32_t tid);

/** It goes on. */
void thread_hold_end(struct thread_hold *hold);

/** To be called from time to time: those that stopped too late go on. */
void thread_hold_release_late(struct thread_hold *hold);

/** Waits a little for those that did not stop in time, so that none is left behind. */
void thread_hold_deinit(struct thread_hold *hold);

/** NULL if the process can be held now, else why not and what would help. */
struct error *thread_hold_check(uint32_t pid);

#endif
